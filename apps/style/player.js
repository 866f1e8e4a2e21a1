// Two lanes on one time axis, and a time that the reader moves: by Play, with the two step buttons, or on the
// slider. All numbers come ready from Python; this only shows those of the chosen moment.
export default function ({ data, parentElement }) {
  const find = name => parentElement.querySelector(`.player-${name}`)
  const root = find("all")
  const [play, back, next, time, speed] = ["play", "back", "next", "time", "speed"].map(find)
  const texts = data.texts
  const version = JSON.stringify([data.lanes, texts])
  if (root.version === version) return
  const first = root.version === undefined
  if (first) root.now = Infinity
  root.version = version
  stop()
  // A time of another run means nothing here; a run that grows is followed at its end.
  if (root.now > data.end || data.end !== root.end) root.now = data.end
  root.end = data.end

  build()
  show(root.now)

  function build() {
    label(back, texts.back)
    label(next, texts.next)
    time.setAttribute("aria-label", texts.time)
    time.max = data.end
    time.step = data.end / 1000 || 1
    find("pace").textContent = texts.speed
    const chosen = speed.value || "0.25"
    speed.replaceChildren(...[1, 0.5, 0.25, 0.1].map(each => {
      const option = new Option(`×${number(each, each < 0.5 ? (each < 0.2 ? 1 : 2) : each < 1 ? 1 : 0)}`, each)
      option.selected = String(each) === chosen
      return option
    }))
    find("lanes").setAttribute("aria-label", texts.lanes)
    find("inner").style.minWidth = `${data.width}px`
    find("legend").replaceChildren(...texts.legend.map(([kind, told]) => {
      const item = make("li", "")
      item.append(make("i", `block ${kind}`), told)
      return item
    }))
    for (const lane of data.lanes) {
      find(`name-${lane.id}`).textContent = lane.name
      find(`track-${lane.id}`).replaceChildren(...lane.blocks.map(([kind, start, end, told]) => {
        const block = make("div", `block ${kind}`)
        block.style.left = `${100 * start / data.end}%`
        block.style.width = `${100 * (end - start) / data.end}%`
        block.title = told
        return block
      }))
      find(`text-${lane.id}`).setAttribute("aria-label", lane.name)
      find(`text-${lane.id}`).replaceChildren(...lane.tokens.map(token))
    }
    const ticks = find("axis")
    ticks.replaceChildren(...data.ticks.map(at => {
      const tick = make("span", "", number(at * data.scale, 0))
      tick.style.left = `${100 * at / data.end}%`
      return tick
    }), make("em", "", texts.unit))
  }

  function show(at) {
    root.now = at
    const percent = data.end ? 100 * at / data.end : 0
    find("veil").style.left = `${percent}%`
    for (const lane of data.lanes)
      for (const [i, element] of [...find(`text-${lane.id}`).children].entries())
        element.hidden = lane.tokens[i].at > at + data.end * 1e-9
    const reading = data.readings.findLast(each => each.at <= at + data.end * 1e-9) ?? data.readings[0]
    const told = `${number(at * data.scale, data.digits)} ${texts.unit}`
    const values = { elapsed: told, plain: number(reading.plain, 0), speculative: number(reading.speculative, 0),
      speedup: reading.speedup === null ? "—" : `×${number(reading.speedup, 2)}` }
    find("facts").replaceChildren(...Object.entries(values).map(([name, value]) => {
      const pair = make("div", "")
      const definition = make("dd", "")
      definition.append(make("bdi", "", value))
      if (name === "speedup") definition.firstChild.dir = "ltr"
      pair.append(make("dt", "", texts[name]), definition)
      return pair
    }))
    time.value = at
    time.setAttribute("aria-valuetext", told)
    const scroll = find("lanes")
    const place = scroll.scrollWidth * percent / 100
    if (root.playing && (place > scroll.scrollLeft + scroll.clientWidth * 0.9 || place < scroll.scrollLeft))
      scroll.scrollLeft = place - scroll.clientWidth * 0.2
    face()
  }

  function token({ text, mark, told }) {
    const box = make("span", `strip-token ${mark}`)
    box.setAttribute("role", "listitem")
    const shown = make("bdi", "")
    if (text.startsWith(" ")) {
      const dot = make("i", "", "·")
      dot.setAttribute("aria-hidden", "true")
      shown.append(dot, text.slice(1))
    } else shown.append(text || "∅")
    box.append(shown, make("span", "unseen", told))
    return box
  }

  play.onclick = () => (root.playing ? stop() : start())
  back.onclick = () => jump(data.readings.findLast(each => each.at < root.now - data.end * 1e-9)?.at ?? 0)
  next.onclick = () => jump(data.readings.find(each => each.at > root.now + data.end * 1e-9)?.at ?? data.end)
  time.oninput = () => jump(Number(time.value))

  function jump(at) {
    stop()
    show(at)
    find("live").textContent = find("facts").textContent
  }

  function start() {
    if (root.now >= data.end) root.now = 0
    root.playing = true
    let last = performance.now()
    const tick = stamp => {
      if (!root.playing || !root.isConnected) return
      const moved = root.now + (stamp - last) / 1000 / data.seconds * Number(speed.value)
      last = stamp
      if (moved >= data.end) stop()
      show(Math.min(moved, data.end))
      if (root.playing) requestAnimationFrame(tick)
    }
    face()
    requestAnimationFrame(tick)
  }

  function stop() {
    root.playing = false
    face()
  }

  function face() {
    label(play, root.playing ? texts.pause : texts.play)
    play.dataset.playing = root.playing
  }

  function label(button, text) {
    if (button.textContent !== text) button.textContent = text
  }

  function number(value, digits) {
    const written = value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })
    return written.replace(/[0-9,.]/g, sign => data.numerals["0123456789,.".indexOf(sign)])
  }

  function make(tag, kind, text = "") {
    const element = document.createElement(tag)
    if (kind) element.className = kind
    element.textContent = text
    return element
  }
}
