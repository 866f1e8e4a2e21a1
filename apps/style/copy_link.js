// The address holds every setting that differs from its default; the language is added, for its default is the
// reader's own. Without a clipboard (a page served over plain http) the link is shown, selected, to be copied.
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button")
  const label = parentElement.querySelector("label")
  const input = parentElement.querySelector("input")
  button.textContent = data.copy
  parentElement.querySelector("span").textContent = data.shown
  button.onclick = async () => {
    const link = new URL(window.location.href)
    link.searchParams.set("lang", data.lang)
    try {
      await navigator.clipboard.writeText(link.href)
      button.textContent = data.copied
      setTimeout(() => { button.textContent = data.copy }, 2000)
    } catch {
      input.value = link.href
      label.hidden = false
      input.select()
    }
  }
}
