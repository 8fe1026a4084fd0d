import { byId, create } from './dom.js';

/** The ids of the lists. */
const LISTS = ['audit', 'outside'];

/** Lists of findings: what is wasted, and what sticks out. A click selects the element. */
export class FindingsPanel {
    #state;
    #engine;
    #notices;
    /** The drawing whose findings are shown or computed. */
    #model = null;

    constructor(state, engine, notices) {
        this.#state = state;
        this.#engine = engine;
        this.#notices = notices;
        state.addEventListener('drawing', () => this.#empty('No drawing is open.'));
        this.#empty('No drawing is open.');
    }

    /** Shows the findings of the drawing, which are computed once. */
    async show() {
        const { model } = this.#state;
        if (this.#model === model) return;
        this.#model = model;
        if (model === null) return;
        this.#empty('computing …');
        try {
            const { audit, outside } = await this.#engine.ask('findings');
            if (this.#model !== model) return;
            this.#list('audit', audit, 'Nothing is wasted: no element is certainly invisible, and no effect is needless.');
            this.#list('outside', outside, 'Nothing sticks out of the viewBox.');
        } catch (error) {
            if (this.#model !== model) return;
            for (const id of LISTS) this.#notices.fail(error, byId(id));
        }
    }

    #list(id, findings, nothing) {
        byId(`${id}-count`).textContent = findings.length === 0 ? '' : ` ${findings.length}`;
        const items = findings.map((finding) => this.#item(finding));
        byId(id).replaceChildren(
            findings.length === 0 ? create('p', { class: 'weak' }, nothing) : create('ul', { class: 'findings' }, ...items),
        );
    }

    /** Shows a text in place of findings. */
    #empty(text) {
        for (const id of LISTS) this.#list(id, [], text);
    }

    #item({ kind, name, element, path, line, column, explanation }) {
        const index = this.#state.model.indexOf(path);
        const title = name === path ? `<${element}>` : `<${element}> #${name}`;
        return create(
            'li',
            {},
            create(
                'button',
                {
                    type: 'button',
                    class: 'finding',
                    onclick: () => this.#state.select(index),
                    onpointerenter: () => this.#state.hover(index),
                    onpointerleave: () => this.#state.hover(-1),
                },
                create('span', { class: 'kind' }, kind.replaceAll('-', ' ')),
                create('span', { class: 'title' }, title),
                create('span', { class: 'place' }, `${line}:${column}`),
                create('span', { class: 'explanation' }, explanation),
            ),
        );
    }
}
