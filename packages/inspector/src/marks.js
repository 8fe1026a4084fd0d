import { createSvg } from './dom.js';
import { hasEdges, length, mainBox, titleOf } from './model.js';

/** The space between a label and its box, in CSS pixels. */
const LABEL_GAP = 4;

/** What is over the outlines: the page, the selected and the hovered element, and the box that a crop would keep. */
export class Marks {
    #svg;
    #label;

    /** @param {SVGSVGElement} svg @param {HTMLElement} label */
    constructor(svg, label) {
        this.#svg = svg;
        this.#label = label;
    }

    /**
     * @param {import('./state.js').State} state
     * @param {import('./view.js').View} view
     * @param {number[] | null} crop
     */
    draw(state, view, crop) {
        const { model } = state;
        const marks = [];
        const mark = (kind, box) => marks.push(...rects(kind, view.toPixels(box, 1)));
        if (model) mark('page', [0, 0, model.width, model.height]);
        if (crop) mark('crop', crop);
        const selected = state.element(state.selected);
        if (selected && mainBox(selected)) {
            const { leaf } = selected.boxes;
            // The part that clips cut is dashed.
            if (hasEdges(leaf) && String(leaf) !== String(selected.boxes.clipped)) mark('cut', leaf);
            mark('selected', mainBox(selected));
        }
        const hovered = state.element(state.hovered);
        const box = hovered && mainBox(hovered);
        if (box) mark('hovered', box);
        this.#svg.replaceChildren(...marks);
        this.#label.hidden = !box;
        if (box) this.#showLabel(hovered, box, view);
    }

    #showLabel(element, box, view) {
        const [x0, y0, x1, y1] = box;
        this.#label.textContent = `${titleOf(element)}  ${length(x1 - x0)} × ${length(y1 - y0)}`;
        const [left, top, , bottom] = view.toPixels(box, 1);
        const { clientWidth, clientHeight } = this.#svg.parentElement;
        const { offsetWidth, offsetHeight } = this.#label;
        const x = Math.max(Math.min(left, clientWidth - offsetWidth - LABEL_GAP), LABEL_GAP);
        const above = top - offsetHeight - LABEL_GAP;
        const below = bottom + LABEL_GAP;
        let y = Math.max(top, 0) + LABEL_GAP;
        if (above >= 0) y = above;
        else if (below + offsetHeight <= clientHeight) y = below;
        this.#label.style.transform = `translate(${x}px, ${y}px)`;
    }
}

/** A line that is visible on every colour, because it has a dark edge. */
function rects(kind, [x0, y0, x1, y1]) {
    const rect = (name) =>
        createSvg('rect', {
            class: name,
            x: x0 - 0.5,
            y: y0 - 0.5,
            width: Math.max(x1 - x0 + 1, 1),
            height: Math.max(y1 - y0 + 1, 1),
        });
    return kind === 'page' ? [rect('page')] : [rect(`edge ${kind}`), rect(kind)];
}
