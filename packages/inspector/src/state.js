import { DEFAULT_KINDS } from './kinds.js';

/**
 * What the page shows. The parts of the page listen to its events:
 *
 * - `drawing`: another drawing, or none;
 * - `selection` and `hover`: another element, whose index is in `selected` and `hovered`, or -1;
 * - `kinds`: other kinds of box are shown.
 */
export class State extends EventTarget {
    /** @type {import('./source.js').Source | null} */
    source = null;
    /** @type {import('./model.js').Model | null} */
    model = null;
    selected = -1;
    hovered = -1;
    kinds = new Set(DEFAULT_KINDS);

    show(source, model) {
        Object.assign(this, { source, model, selected: -1, hovered: -1 });
        this.dispatchEvent(new Event('drawing'));
    }

    select(index) {
        if (index === this.selected) return;
        this.selected = index;
        this.dispatchEvent(new Event('selection'));
    }

    hover(index) {
        if (index === this.hovered) return;
        this.hovered = index;
        this.dispatchEvent(new Event('hover'));
    }

    toggle(kind) {
        if (!this.kinds.delete(kind)) this.kinds.add(kind);
        this.dispatchEvent(new Event('kinds'));
    }

    /** The element with an index. `undefined` if there is none. */
    element(index) {
        return this.model?.elements[index];
    }
}
