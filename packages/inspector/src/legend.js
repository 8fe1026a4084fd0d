import { byId, create, createSvg } from './dom.js';
import { KINDS } from './kinds.js';

/** The kinds of box with samples of their lines, which show and hide them. */
export class Legend {
    #state;
    #engine;
    #buttons = new Map();

    constructor(state, engine) {
        this.#state = state;
        this.#engine = engine;
        for (const kind of KINDS) this.#buttons.set(kind.name, this.#button(kind));
        byId('kinds').append(...this.#buttons.values());
        state.addEventListener('kinds', () => this.#update());
        state.addEventListener('drawing', () => this.#needObjects());
        this.#update();
    }

    toggle(kind) {
        this.#state.toggle(kind);
        this.#needObjects();
    }

    #button({ name, key, color, dash, help }) {
        const line = createSvg('line', {
            x1: 0,
            y1: 4,
            x2: 24,
            y2: 4,
            stroke: color,
            'stroke-width': 2,
            'stroke-dasharray': dash.join(' '),
        });
        return create(
            'button',
            { type: 'button', class: 'kind', title: `${help} (${key})`, onclick: () => this.toggle(name) },
            createSvg('svg', { width: 24, height: 8, 'aria-hidden': 'true' }, line),
            create('kbd', {}, key),
            create('span', { class: 'name' }, name),
        );
    }

    #update() {
        for (const [name, button] of this.#buttons) button.setAttribute('aria-pressed', String(this.#state.kinds.has(name)));
    }

    /** Computes the object boxes when they are shown for the first time. */
    async #needObjects() {
        const { model, kinds } = this.#state;
        if (model === null || model.hasObjectBoxes || !kinds.has('object')) return;
        let pairs;
        try {
            pairs = await this.#engine.ask('objectBoxes');
        } catch {
            // The work was cancelled. The boxes are computed when they are shown for the next time.
            return;
        }
        model.addObjectBoxes(pairs);
        this.#state.dispatchEvent(new Event('kinds'));
    }
}
