import { PAINT_ORDER } from './kinds.js';
import { hasEdges } from './model.js';

/**
 * Draws the boxes of some kinds on a canvas, with lines of one CSS pixel at every zoom.
 *
 * A canvas draws the 10,000 boxes of a large drawing in a few milliseconds. Elements of SVG would be too slow.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {import('./model.js').Element[]} elements
 * @param {Set<string>} kinds
 * @param {import('./view.js').View} view
 */
export function drawOutlines(canvas, elements, kinds, view) {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const context = canvas.getContext('2d');
    context.clearRect(0, 0, width, height);
    context.lineWidth = Math.max(Math.round(ratio), 1);
    for (const { name, color, dash } of PAINT_ORDER) {
        if (!kinds.has(name)) continue;
        const lines = new Lines(context.lineWidth, dash, width, height);
        for (const { boxes } of elements) {
            if (hasEdges(boxes[name])) lines.add(view.toPixels(boxes[name], ratio));
        }
        context.strokeStyle = color;
        context.setLineDash(dash.map((length) => length * context.lineWidth));
        context.stroke(lines.path);
    }
}

/** The edges of boxes in pixels. Each edge begins with a dash, and the parts beyond the canvas are left out. */
class Lines {
    path = new Path2D();
    #half;
    #period;

    constructor(lineWidth, dash, width, height) {
        Object.assign(this, { lineWidth, width, height });
        this.#half = lineWidth / 2;
        this.#period = Math.max(dash.reduce((sum, length) => sum + length, 0) * lineWidth, 1);
    }

    add([x0, y0, x1, y1]) {
        if (x1 < 0 || y1 < 0 || x0 > this.width || y0 > this.height) return;
        const right = Math.max(x1 - this.lineWidth, x0);
        const bottom = Math.max(y1 - this.lineWidth, y0);
        const [from, to] = this.#visible(x0, right + this.lineWidth, this.width);
        for (const y of y0 === bottom ? [y0] : [y0, bottom]) {
            if (y >= -this.lineWidth && y <= this.height) this.#line(from, y + this.#half, to, y + this.#half);
        }
        const [top, end] = this.#visible(y0, bottom + this.lineWidth, this.height);
        for (const x of x0 === right ? [x0] : [x0, right]) {
            if (x >= -this.lineWidth && x <= this.width) this.#line(x + this.#half, top, x + this.#half, end);
        }
    }

    /** The part of an edge on the canvas. It begins at the start of a dash. */
    #visible(start, end, size) {
        const skipped = Math.max(Math.floor(-start / this.#period), 0) * this.#period;
        return [start + skipped, Math.min(end, size + this.#period)];
    }

    #line(x0, y0, x1, y1) {
        this.path.moveTo(x0, y0);
        this.path.lineTo(x1, y1);
    }
}
