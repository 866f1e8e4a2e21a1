// Streamlit's page says <html lang="en"> whatever is on it. Screen readers choose their voice by it and the
// browser its line breaks and the side of the scroll bar; menus and tooltips, which hang on <body>, inherit dir.
export default function ({ data }) {
  const locale = new Intl.Locale(navigator.language)
  document.documentElement.dataset.localeDir = (locale.getTextInfo?.() ?? locale.textInfo)?.direction ?? "ltr"
  document.documentElement.lang = data.lang
  document.documentElement.dir = data.dir
}
