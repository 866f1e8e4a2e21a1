// Chips in a row whose order the reader changes: by dragging, or with the arrow keys on a focused chip.
// A chip keeps its number (its place in the list as given); what is sent back is the row of those numbers.
export default function ({ data, parentElement, setTriggerValue }) {
  const list = parentElement.querySelector("ol")
  const live = parentElement.querySelector("[aria-live]")
  list.setAttribute("aria-label", data.label)
  list.classList.toggle("rtl", document.documentElement.dir === "rtl")
  const order = () => [...list.children].map(item => Number(item.dataset.number))
  const sent = list.dataset.sent
  const wanted = JSON.stringify([data.order, data.texts])
  if (sent !== wanted) {
    list.replaceChildren(...data.order.map(number => chip(number)))
    list.dataset.sent = wanted
  }

  function chip(number) {
    const item = document.createElement("li")
    const button = document.createElement("button")
    item.dataset.number = number
    button.type = "button"
    button.textContent = data.texts[number - 1]
    button.title = data.hint
    item.append(button)
    button.onkeydown = event => {
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key]
      if (step === undefined) return
      event.preventDefault()
      move(item, place(item) + step)
      button.focus()
      send(item)
    }
    // The list holds the pointer: a chip that is moved leaves the document for a moment and would lose it.
    button.onpointerdown = event => {
      if (event.button !== 0) return
      const before = order().join()
      list.setPointerCapture(event.pointerId)
      item.classList.add("held")
      list.onpointermove = ({ clientX, clientY }) => {
        const target = list.getRootNode().elementFromPoint(clientX, clientY)?.closest("li")
        if (!target || target === item || target.parentElement !== list) return
        // Only past the middle: a wide chip would jump to and fro over a narrow one.
        const { left, width } = target.getBoundingClientRect()
        if ((clientX > left + width / 2) === (place(target) > place(item))) move(item, place(target))
      }
      list.onpointerup = list.onpointercancel = () => {
        list.onpointermove = list.onpointerup = list.onpointercancel = null
        item.classList.remove("held")
        button.focus()
        if (order().join() !== before) send(item)
      }
    }
    return item
  }

  const place = item => [...list.children].indexOf(item)

  function move(item, to) {
    const from = place(item)
    const target = list.children[Math.max(0, Math.min(to, list.children.length - 1))]
    if (target !== item) list.insertBefore(item, from < place(target) ? target.nextSibling : target)
  }

  function send(item) {
    list.dataset.sent = JSON.stringify([order(), data.texts])
    live.textContent = `${item.textContent}: ${place(item) + 1} / ${list.children.length}`
    setTriggerValue("order", order())
  }
}
