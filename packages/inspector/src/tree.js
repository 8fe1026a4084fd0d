import { byId, create } from './dom.js';
import { badgeOf, titleOf } from './model.js';

/** The rows that are rendered beyond each end of the visible ones. */
const SPARE = 8;

/** Rows at greater depths are not indented further, so that their names stay in view. */
const MAX_INDENTS = 16;

/** The tree of elements. It renders only the rows that are in view, so that a large drawing has a fast tree as well. */
export class Tree {
    #state;
    #node = byId('tree');
    #filter = byId('filter');
    #content = create('div', { role: 'presentation' });
    /** The indices of the elements that have a row, from the top to the bottom. */
    #rows = [];
    /** The indices of the elements whose contents have no rows. */
    #collapsed = new Set();
    #rowHeight = 24;

    /** @param {import('./state.js').State} state */
    constructor(state) {
        this.#state = state;
        this.#node.append(this.#content);
        this.#node.addEventListener('keydown', (event) => this.#pressKey(event));
        this.#node.addEventListener('click', (event) => this.#click(event));
        this.#node.addEventListener('pointermove', ({ target }) => state.hover(indexOf(target)));
        this.#node.addEventListener('pointerleave', () => state.hover(-1));
        this.#node.addEventListener('scroll', () => this.#render());
        new ResizeObserver(() => this.#render()).observe(this.#node);
        this.#filter.addEventListener('input', () => this.#update());
        state.addEventListener('selection', () => this.#reveal());
        state.addEventListener('hover', () => this.#markHovered());
    }

    /** Shows another drawing. */
    show() {
        this.#collapsed.clear();
        this.#filter.value = '';
        this.#rowHeight = parseFloat(getComputedStyle(this.#node).getPropertyValue('--row')) || 24;
        this.#node.scrollTop = 0;
        this.#update();
    }

    /** Selects the element in the row above, or in the row below. */
    step(direction) {
        this.#selectRow(this.#rows.indexOf(this.#state.selected) + direction);
    }

    #update() {
        this.#rows = this.#visible();
        const { model } = this.#state;
        byId('tree-count').textContent = model && this.#filter.value ? `${this.#nMatches} found` : '';
        this.#content.style.height = `${this.#rows.length * this.#rowHeight}px`;
        this.#render();
    }

    /** The elements that have a row: those that pass the filter with those around them, or those that are not collapsed. */
    #visible() {
        const elements = this.#state.model?.elements ?? [];
        const wanted = this.#filter.value.trim().toLowerCase();
        const rows = [];
        if (wanted !== '') {
            const isShown = new Uint8Array(elements.length);
            this.#nMatches = 0;
            for (const element of elements) {
                if (!searched(element).includes(wanted)) continue;
                this.#nMatches += 1;
                for (let index = element.index; index !== -1 && !isShown[index]; index = elements[index].parent) {
                    isShown[index] = 1;
                }
            }
            return [...isShown.keys()].filter((index) => isShown[index]);
        }
        for (let index = 0; index < elements.length; ) {
            rows.push(index);
            index = this.#collapsed.has(index) ? elements[index].end : index + 1;
        }
        return rows;
    }

    #nMatches = 0;

    #render() {
        const first = Math.max(Math.floor(this.#node.scrollTop / this.#rowHeight) - SPARE, 0);
        const nVisible = Math.ceil(this.#node.clientHeight / this.#rowHeight) + 2 * SPARE;
        const rows = this.#rows.slice(first, first + nVisible);
        this.#content.replaceChildren(...rows.map((index, at) => this.#row(index, first + at)));
        // A screen reader finds the selected row by its id, which is there only if the row is.
        const isRendered = rows.includes(this.#state.selected);
        if (isRendered) this.#node.setAttribute('aria-activedescendant', rowId(this.#state.selected));
        else this.#node.removeAttribute('aria-activedescendant');
    }

    #row(index, at) {
        const element = this.#state.element(index);
        const isGroup = element.end > index + 1;
        const badge = badgeOf(element);
        const row = create(
            'div',
            {
                role: 'treeitem',
                id: rowId(index),
                class: `row${badge === '' ? '' : ' is-weak'}${index === this.#state.hovered ? ' is-hovered' : ''}`,
                'data-index': index,
                'aria-level': element.depth + 1,
                'aria-selected': String(index === this.#state.selected),
                'aria-expanded': isGroup && String(!this.#collapsed.has(index)),
                title: element.path,
            },
            create('span', { class: isGroup ? 'twisty' : 'twisty is-leaf', 'aria-hidden': 'true' }),
            create('span', { class: 'tag' }, element.tag),
            element.hasId ? create('span', { class: 'id' }, ` #${element.name}`) : null,
            badge === '' ? null : create('span', { class: 'badge' }, badge),
        );
        row.style.top = `${at * this.#rowHeight}px`;
        row.style.setProperty('--depth', Math.min(element.depth, MAX_INDENTS));
        return row;
    }

    #markHovered() {
        this.#content.querySelector('.is-hovered')?.classList.remove('is-hovered');
        const row = byId(rowId(this.#state.hovered));
        row?.classList.add('is-hovered');
    }

    /** Brings the selected row into view, with the elements around it expanded. */
    #reveal() {
        const { model, selected } = this.#state;
        if (selected !== -1) {
            const before = this.#collapsed.size;
            for (let { parent } = model.elements[selected]; parent !== -1; parent = model.elements[parent].parent) {
                this.#collapsed.delete(parent);
            }
            if (!this.#rows.includes(selected)) this.#filter.value = '';
            if (this.#collapsed.size !== before || !this.#rows.includes(selected)) this.#update();
            const top = this.#rows.indexOf(selected) * this.#rowHeight;
            const { scrollTop, clientHeight } = this.#node;
            if (top < scrollTop || top + this.#rowHeight > scrollTop + clientHeight) {
                this.#node.scrollTop = top - clientHeight / 3;
            }
        }
        this.#render();
    }

    #click({ target }) {
        const index = indexOf(target);
        if (index === -1) return;
        if (target.classList.contains('twisty') && this.#state.element(index).end > index + 1) {
            this.#setCollapsed(index, !this.#collapsed.has(index));
        } else {
            this.#state.select(index);
        }
    }

    #setCollapsed(index, isCollapsed) {
        if (isCollapsed) this.#collapsed.add(index);
        else this.#collapsed.delete(index);
        this.#update();
    }

    #pressKey(event) {
        if (event.ctrlKey || event.altKey || event.metaKey || this.#rows.length === 0) return;
        const at = this.#rows.indexOf(this.#state.selected);
        const page = Math.max(Math.floor(this.#node.clientHeight / this.#rowHeight) - 1, 1);
        const targets = {
            ArrowDown: at + 1,
            ArrowUp: Math.max(at - 1, 0),
            Home: 0,
            End: this.#rows.length - 1,
            PageDown: Math.min(at + page, this.#rows.length - 1),
            PageUp: Math.max(at - page, 0),
        };
        if (event.key in targets) this.#selectRow(targets[event.key]);
        else if (event.key === 'ArrowRight') this.#expand(at);
        else if (event.key === 'ArrowLeft') this.#collapse(at);
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    #selectRow(at) {
        if (this.#rows[at] !== undefined) this.#state.select(this.#rows[at]);
    }

    /** Expands a row, or goes to the first one inside of it. */
    #expand(at) {
        const index = this.#rows[at];
        if (index === undefined) return;
        if (this.#collapsed.has(index)) this.#setCollapsed(index, false);
        else if (this.#state.element(index).end > index + 1) this.#selectRow(at + 1);
    }

    /** Collapses a row, or goes to the one around it. */
    #collapse(at) {
        const index = this.#rows[at];
        if (index === undefined) return;
        const { end, parent } = this.#state.element(index);
        if (end > index + 1 && !this.#collapsed.has(index) && this.#filter.value === '') this.#setCollapsed(index, true);
        else if (parent !== -1) this.#state.select(parent);
    }
}

/** The words of an element that the filter searches. */
function searched(element) {
    return `${titleOf(element)} ${element.tag}#${element.name} .${element.className.replaceAll(' ', ' .')}`.toLowerCase();
}

function rowId(index) {
    return `row-${index}`;
}

/** The index of the element whose row a node is in, or -1. */
function indexOf(node) {
    return Number(node.closest('[data-index]')?.dataset.index ?? -1);
}
