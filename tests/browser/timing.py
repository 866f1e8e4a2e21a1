"""How long a reader waits from moving a slider to the new picture, measured in the page itself."""

from statistics import median

from playwright.sync_api import Page

# From the key press to the first frame in which the mark of the step (in the running total, or
# in the tree) stands elsewhere.
WATCH = """() => {
  const place = () => {
    const chart = document.querySelector(".st-key-sum-order-running")
      ?? document.querySelector(".st-key-sum-order-tree")
    const points = chart.querySelectorAll(".scatterlayer .trace:last-child .point")
    return points.length ? points[points.length - 1].getAttribute("transform") : null
  }
  const before = place()
  window.waited = new Promise((done, failed) => document.addEventListener("keydown", () => {
    const start = performance.now()
    setTimeout(() => failed(new Error("no new picture within 20 s")), 20000)
    const look = () => place() !== null && place() !== before
      ? requestAnimationFrame(() => done(performance.now() - start))
      : requestAnimationFrame(look)
    look()
  }, { once: true, capture: true }))
}"""


def slider_seconds(page: Page, moves: int = 15) -> float:
    """Median seconds from a move of the step slider to its picture, on the page of a sum's order.

    The first move is left out: it may still load parts of Plotly.
    """
    slider = page.get_by_role("slider", name="Step")
    waited = []
    for move in range(moves + 1):
        page.evaluate(WATCH)
        slider.press("ArrowRight" if move % 2 == 0 else "ArrowLeft")
        waited.append(page.evaluate("window.waited") / 1000)
        page.wait_for_timeout(300)  # a reader looks before moving on
    return median(waited[1:])
