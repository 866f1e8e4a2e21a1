"""How long a reader waits from moving a slider to the new picture, measured in the page itself."""

from dataclasses import dataclass
from statistics import median

from playwright.sync_api import Page


@dataclass(frozen=True)
class Watched:
    """A slider by its name, and a JavaScript expression that changes once the new picture stands."""

    slider: str
    drawn: str


# Where the mark of the step stands, in the running total or in the tree.
SUM_ORDER = Watched(
    "Step",
    """(() => {
    const chart = document.querySelector(".st-key-sum-order-running")
      ?? document.querySelector(".st-key-sum-order-tree")
    const points = chart.querySelectorAll(".scatterlayer .trace:last-child .point")
    return points.length ? points[points.length - 1].getAttribute("transform") : null
  })()""",
)
# The line at τ in the curve, which is drawn last.
GATE = Watched(
    "The gate's threshold τ", """document.querySelector(".st-key-gate-curve .scatterlayer").innerHTML"""
)

_WATCH = """() => {
  const drawn = () => %s
  const before = drawn()
  window.waited = new Promise((done, failed) => document.addEventListener("keydown", () => {
    const start = performance.now()
    setTimeout(() => failed(new Error("no new picture within 20 s")), 20000)
    const look = () => drawn() !== null && drawn() !== before
      ? requestAnimationFrame(() => done(performance.now() - start))
      : requestAnimationFrame(look)
    look()
  }, { once: true, capture: true }))
}"""


def slider_seconds(page: Page, watched: Watched, moves: int = 15) -> float:
    """Median seconds from a move of the slider to its picture; fails if there is none within 20 s.

    The first move is left out: it may still load parts of Plotly.
    """
    slider = page.get_by_role("slider", name=watched.slider)
    waited = []
    for move in range(moves + 1):
        page.evaluate(_WATCH % watched.drawn)
        slider.press("ArrowRight" if move % 2 == 0 else "ArrowLeft")
        waited.append(page.evaluate("window.waited") / 1000)
        page.wait_for_timeout(300)  # a reader looks before moving on
    return median(waited[1:])
