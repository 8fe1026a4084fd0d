/** A leaf whose box is thinner than this is hit near it as well, in CSS pixels of the screen, as in the native viewer. */
const THIN = 4;

/** How far from a thin leaf it is hit, in CSS pixels of the screen. */
const SLACK = 2;

/**
 * An element of a drawing.
 *
 * @typedef {object} Element
 * @property {number} index Its index in the model, in the order of the tree.
 * @property {number} parent The index of the element around it, or -1.
 * @property {number} depth
 * @property {number} end The index after the last element inside of it.
 * @property {Record<string, Box>} boxes Its boxes by their kinds.
 *
 * @typedef {[number, number, number, number] | 'plane' | null} Box
 */

/** The elements of a drawing and their boxes. */
export class Model {
    /** @type {Element[]} */
    elements;
    hasObjectBoxes = false;
    #byPath;
    /** The elements with a clipped box that is not empty, in paint order. */
    #leaves = [];

    constructor({ width, height, warnings, mayChange, elements }) {
        Object.assign(this, { width, height, warnings, mayChange });
        this.elements = inTreeOrder(elements);
        this.#byPath = new Map(this.elements.map((element) => [element.path, element.index]));
        const leaves = this.elements.filter(({ boxes }) => hasEdges(boxes.clipped));
        this.#leaves = leaves.sort((a, b) => a.order - b.order);
    }

    /** The index of the element with a path, or -1. */
    indexOf(path) {
        return this.#byPath.get(path) ?? -1;
    }

    /** The index of the element with a name, which is its id or its path, or -1. */
    indexOfName(name) {
        const index = this.indexOf(name);
        return index === -1 ? this.elements.findIndex((element) => element.hasId && element.name === name) : index;
    }

    /** Whether a leaf may be painted at a point. If not, nothing is. */
    mayHit(x, y) {
        return this.#leaves.some(({ boxes: { clipped: [x0, y0, x1, y1] } }) => x >= x0 && x < x1 && y >= y0 && y < y1);
    }

    /** The top-most thin leaf near a point, or -1. `scale` is the size of a unit of the drawing on the screen. */
    thinAt(x, y, scale) {
        const [thin, slack] = [THIN / scale, SLACK / scale];
        const leaf = this.#leaves.findLast(({ boxes: { clipped: [x0, y0, x1, y1] } }) => {
            const isNear = x >= x0 - slack && x <= x1 + slack && y >= y0 - slack && y <= y1 + slack;
            return isNear && Math.min(x1 - x0, y1 - y0) < thin;
        });
        return leaf?.index ?? -1;
    }

    /** Adds the object boxes, which are computed when they are shown. */
    addObjectBoxes(pairs) {
        this.hasObjectBoxes = true;
        for (const [path, box] of pairs) {
            const index = this.indexOf(path);
            if (index !== -1) this.elements[index].boxes.object = box;
        }
    }
}

/** Puts elements into the order of a tree: each one is followed by everything inside of it. */
function inTreeOrder(elements) {
    const byPath = new Map(elements.map((element) => [element.path, element]));
    const roots = [];
    const children = new Map();
    for (const element of elements) {
        element.around = byPath.get(parentPath(element.path, byPath));
        const siblings = element.around === undefined ? roots : children.get(element.around);
        if (siblings === undefined) children.set(element.around, [element]);
        else siblings.push(element);
    }
    // Definitions come after everything that is drawn, but belong to their place in the text.
    const inTextOrder = (a, b) => a.line - b.line || a.column - b.column || a.order - b.order;
    const ordered = [];
    const open = [];
    const stack = roots.sort(inTextOrder).reverse();
    while (stack.length > 0) {
        const element = stack.pop();
        while (open.length > 0 && open.at(-1) !== element.around) open.pop().end = ordered.length;
        element.index = ordered.length;
        element.parent = element.around?.index ?? -1;
        element.depth = open.length;
        ordered.push(element);
        open.push(element);
        stack.push(...(children.get(element) ?? []).sort(inTextOrder).reverse());
    }
    for (const element of open) element.end = ordered.length;
    return ordered;
}

/**
 * The path of the innermost listed element around the one with this path.
 *
 * The path of an element that a `<use>` draws is the path of the `<use>`, an arrow, and the path of the element.
 */
function parentPath(path, listed) {
    for (let around = path; around !== ''; ) {
        around = around.slice(0, Math.max(around.lastIndexOf('/'), 0));
        if (around.endsWith(' → ')) around = around.slice(0, -3);
        if (listed.has(around)) return around;
    }
    return undefined;
}

/** Whether a box has edges. The plane has none. */
export function hasEdges(box) {
    return Array.isArray(box) && box.every((edge) => Math.abs(edge) < 1e30);
}

/** The box that stands for an element: what is visible of it, or else what it would paint. */
export function mainBox({ boxes }) {
    return [boxes.clipped, boxes.group, boxes.leaf, boxes.clip].find(hasEdges) ?? null;
}

/** The name of an element, such as `<rect> #sun`. */
export function titleOf({ tag, hasId, name }) {
    return hasId ? `<${tag}> #${name}` : `<${tag}>`;
}

/** Why an element is not visible as it is, in a word. */
export function badgeOf({ reason, boxes }) {
    if (reason === null || hasEdges(boxes.clipped) || hasEdges(boxes.group)) return '';
    return reason.replaceAll('-', ' ');
}

/** A length with at most two decimals. */
export function length(value) {
    return String(Math.round(value * 100) / 100 || 0);
}

/** A box as the words x, y, width, and height, without units. */
export function numbersOf([x0, y0, x1, y1]) {
    return [x0, y0, x1 - x0, y1 - y0].map(length);
}

/** A CSS selector for an element. */
export function selectorOf({ hasId, name, path }) {
    if (hasId) return `#${CSS.escape(name)}`;
    const steps = path.split(' → ').at(-1).slice(1).split('/');
    return steps.map((step) => step.replace(/\[(\d+)\]$/, ':nth-of-type($1)')).join(' > ');
}
