/** The largest zoom. */
const MAX_SCALE = 256;

/** The smallest zoom. */
const MIN_SCALE = 1 / 256;

/** The space around a drawing that fits, in CSS pixels. */
const MARGIN = 24;

/** How the drawing is shown: its scale, and the place of its origin on the stage, in CSS pixels. */
export class View {
    scale = 1;
    left = 0;
    top = 0;

    /** Shows a box of the drawing as large as it fits into a stage, but not larger than a scale. */
    fit([x0, y0, x1, y1], stage, maxScale) {
        const room = (side) => Math.max(side - 2 * MARGIN, 16);
        const scale = Math.min(
            room(stage.width) / Math.max(x1 - x0, 1e-6),
            room(stage.height) / Math.max(y1 - y0, 1e-6),
            maxScale,
        );
        this.scale = clamped(scale);
        this.left = stage.width / 2 - ((x0 + x1) / 2) * this.scale;
        this.top = stage.height / 2 - ((y0 + y1) / 2) * this.scale;
    }

    /** Changes the scale around a point of the stage, which stays where it is. */
    zoom(factor, x, y) {
        const scale = clamped(this.scale * factor);
        this.left = x - ((x - this.left) * scale) / this.scale;
        this.top = y - ((y - this.top) * scale) / this.scale;
        this.scale = scale;
    }

    move(dx, dy) {
        this.left += dx;
        this.top += dy;
    }

    /** The point of the drawing at a point of the stage. */
    toScene(x, y) {
        return [(x - this.left) / this.scale, (y - this.top) / this.scale];
    }

    /** The edges of a box of the drawing on the stage, which has several pixels of the screen per CSS pixel. */
    toPixels([x0, y0, x1, y1], pixelRatio) {
        const x = (value) => Math.round((value * this.scale + this.left) * pixelRatio);
        const y = (value) => Math.round((value * this.scale + this.top) * pixelRatio);
        return [x(x0), y(y0), x(x1), y(y1)];
    }
}

function clamped(scale) {
    return Math.min(Math.max(scale, MIN_SCALE), MAX_SCALE);
}
