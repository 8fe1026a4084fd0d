// The boxes of the shapes of drawings in Chromium, as lines of JSON.
//
//     node shapes.js FILE...
//
// A line has the `file` and its `shapes`: each shape with an id of its own that is displayed, with `local`, which is what
// getBBox returns, and `root`, which is the same box in the user space of the root. `root` is null where a shape is
// rotated or skewed, because a box has no exact place there. `scale` is the number of px in a unit of the root. Animations
// and scripts do not run.
import { pathToFileURL } from 'node:url';

import { launch } from './browser.js';

/** Runs in the page. */
function shapesOfPage() {
    const hidden = 'defs, clipPath, mask, pattern, marker, symbol';
    const shapes = 'path, rect, circle, ellipse, line, polyline, polygon';
    const root = document.documentElement;
    if (!(root instanceof SVGSVGElement)) return null;
    document.querySelectorAll('animate, set, animateTransform, animateMotion').forEach((element) => element.remove());
    const rootFromScreen = root.getScreenCTM().inverse();
    const found = [];
    for (const element of document.querySelectorAll(shapes)) {
        const { id, localName: tag } = element;
        const isNamed = id !== '' && document.querySelectorAll(`[id="${CSS.escape(id)}"]`).length === 1;
        const { display, stroke } = getComputedStyle(element);
        if (!isNamed || element.closest(hidden) || display === 'none' || element.getScreenCTM() === null) continue;
        const { x, y, width, height } = element.getBBox();
        // What is not rendered has a box of zeros.
        if (x === 0 && y === 0 && width === 0 && height === 0) continue;
        const m = rootFromScreen.multiply(element.getScreenCTM());
        const isStraight = Math.abs(m.b) + Math.abs(m.c) < 1e-6 * (Math.abs(m.a) + Math.abs(m.d));
        const xs = [m.a * x + m.e, m.a * (x + width) + m.e].sort((a, b) => a - b);
        const ys = [m.d * y + m.f, m.d * (y + height) + m.f].sort((a, b) => a - b);
        found.push({
            id, tag, isStroked: stroke !== 'none', local: [x, y, x + width, y + height],
            root: isStraight ? [xs[0], ys[0], xs[1], ys[1]] : null,
        });
    }
    // A root without a size of its own is as large as the window here, and as its viewBox elsewhere.
    const isSized = [root.width, root.height].every((side) => side.baseVal.unitType !== SVGLength.SVG_LENGTHTYPE_PERCENTAGE);
    return { scale: isSized ? root.getScreenCTM().a : 1, shapes: found };
}

const browser = await launch();
const page = await browser.newPage({ javaScriptEnabled: false });
for (const file of process.argv.slice(2)) {
    try {
        await page.goto(pathToFileURL(file).href, { timeout: 10_000 });
        const answer = await page.evaluate(shapesOfPage);
        if (answer !== null) console.log(JSON.stringify({ file, ...answer }));
    } catch (error) {
        console.error(`${file}: ${error.message.split('\n')[0]}`);
    }
}
await browser.close();
