import { byId, copyText, create } from './dom.js';
import { badgeOf, hasEdges, length, mainBox, numbersOf, selectorOf, titleOf } from './model.js';
import { startTag } from './source.js';

/** The rows of the tables of object boxes: the parts that the worker asks for. */
const OBJECT_TITLES = ['fill', 'fill, stroke, markers', 'the same, clipped'];

/** The names of ink boxes, as the native viewer has them. */
const INK_TITLES = { leaf: 'own', clipped: 'clipped', clip: 'clip', group: 'group' };

/** Why nothing of a part is visible. */
const HIDDEN = {
    empty: 'its filter paints nothing',
    'off-canvas': 'it is off the canvas',
    'clipped-away': 'it is outside of the clips around it',
    covered: 'it is below the opaque',
};

/** The facts about the selected element. */
export class ElementPanel {
    #state;
    #engine;
    #stage;
    #notices;
    #node = byId('element');
    /** What the worker knows of the selected element, when it has answered. */
    #details = null;

    constructor(state, engine, stage, notices) {
        this.#state = state;
        this.#engine = engine;
        this.#stage = stage;
        this.#notices = notices;
        state.addEventListener('selection', () => this.show());
    }

    /** Shows the selected element, or the drawing if none is selected. */
    async show() {
        const { model, selected, source } = this.#state;
        this.#details = null;
        if (model === null) {
            this.#node.replaceChildren(create('p', { class: 'weak' }, 'No drawing is open.'));
            return;
        }
        const element = this.#state.element(selected);
        if (element === undefined) {
            this.#node.replaceChildren(...this.#drawingFacts());
            return;
        }
        const rest = create('div', { class: 'weak' }, 'computing more …');
        this.#node.replaceChildren(...this.#facts(element, source), rest);
        try {
            const details = await this.#engine.ask('details', { path: element.path });
            if (this.#state.model !== model || this.#state.selected !== selected) return;
            this.#details = details;
            rest.className = '';
            rest.replaceChildren(...objectTables(details), ...this.#effects(details.explained));
        } catch (error) {
            this.#notices.fail(error, rest);
        }
    }

    /** Copies something of the selected element. */
    async copy(format) {
        const element = this.#state.element(this.#state.selected);
        if (element === undefined || this.#details === null) return;
        const text = this.#textOf(format, element);
        if (text === null) {
            this.#notices.say('The element has no box.');
            return;
        }
        try {
            await copyText(text);
            this.#notices.say(text.length < 80 ? `Copied ${text}` : 'Copied.');
        } catch (error) {
            this.#notices.say(`Cannot copy: ${error.message}`);
        }
    }

    #textOf(format, element) {
        const { rows, user } = this.#details;
        const box = mainBox(element);
        if (format === 'json') return JSON.stringify(rows, null, 2);
        if (format === 'selector') return selectorOf(element);
        if (format === 'box') return box && numbersOf(box).join(' ');
        if (!hasEdges(user)) return null;
        const [x, y, width, height] = numbersOf(user);
        return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="#0072b2"/>`;
    }

    #drawingFacts() {
        const { model, source } = this.#state;
        const without = model.elements.filter((element) => badgeOf(element) !== '').length;
        return [
            create('h2', {}, source.name),
            facts([
                ['size', `${length(model.width)} × ${length(model.height)} px`],
                ['elements', `${model.elements.length}, ${without} of them without a visible box`],
                ['text', `${source.bytes.length.toLocaleString('en')} bytes`],
            ]),
            create('p', { class: 'weak' }, 'Click an element to select it.'),
        ];
    }

    #facts(element, source) {
        const { line, column, className, path, depth, parent } = element;
        const around = this.#state.element(parent);
        const inside = around && create('p', {}, `depth ${depth}, in `, this.link(parent));
        return [
            create('h2', {}, titleOf(element)),
            className === '' ? null : create('p', {}, `class ${className}`),
            create('p', {}, `line ${line}, column ${column}`),
            create('p', { class: 'weak path' }, path),
            inside,
            create('p', { class: 'visibility' }, visibility(element)),
            create('pre', { class: 'excerpt is-wrapped' }, startTag(source.text, line, column)),
            this.#actions(),
            create('h3', {}, 'Boxes in scene space, px'),
            boxTable(Object.entries(INK_TITLES).flatMap(([kind, title]) =>
                kind in element.boxes ? [[title, element.boxes[kind]]] : [])),
        ].filter((node) => node);
    }

    #actions() {
        const button = (label, run) => create('button', { type: 'button', onclick: run }, label);
        return create(
            'div',
            { class: 'actions' },
            button('Copy JSON', () => this.copy('json')),
            button('Copy box', () => this.copy('box')),
            button('Copy SVG', () => this.copy('svg')),
            button('Copy selector', () => this.copy('selector')),
            button('Zoom to it', () => this.#stage.zoomToSelection()),
        );
    }

    /** A link that selects an element, and highlights it while the pointer or the focus is on it. */
    link(index) {
        const element = this.#state.element(index);
        const hover = () => this.#state.hover(index);
        const leave = () => this.#state.hover(-1);
        return create(
            'button',
            {
                type: 'button',
                class: 'link',
                title: element.path,
                onclick: () => this.#state.select(index),
                onpointerenter: hover,
                onpointerleave: leave,
                onfocus: hover,
                onblur: leave,
            },
            titleOf(element),
        );
    }

    /** What the effects around each part of the element leave of it. */
    #effects(explained) {
        return (explained?.parts ?? []).map((part, index) => {
            const steps = part.steps.map((step) => this.#step(step, part.area));
            const left = `${percent(part.left_area, part.area)} of the box is left.`;
            return create(
                'details',
                { open: index === 0 },
                create('summary', {}, `Effects around the ${part.part}`),
                steps.length === 0 ? create('p', { class: 'weak' }, 'none') : create('ol', { class: 'steps' }, ...steps),
                create('p', {}, left),
                part.hidden === null ? null : this.#verdict(part.hidden),
            );
        });
    }

    #step({ effect, id, of, opacity, blends, clip_box: clipBox, cut_area: cutArea }, area) {
        const words = [];
        const clip = effect.replaceAll('-', ' ');
        if (clipBox !== null) words.push(id === null ? clip : `${clip} #${id}`);
        if (opacity < 1) words.push(`opacity ${opacity}`);
        if (blends) words.push('blend mode');
        const cut = clipBox === null ? '' : ` cuts ${percent(cutArea, area)} of the box`;
        return create('li', {}, `${words.join(', ') || clip} of `, this.#named(of), cut);
    }

    /** A link to the element with a name, which is its id or its path. */
    #named(name) {
        const index = this.#state.model.indexOfName(name);
        return index === -1 ? name : this.link(index);
    }

    #verdict({ why, by }) {
        const reason = by !== null && why === 'clipped-away' ? 'it is outside of the clip of' : (HIDDEN[why] ?? why);
        const who = by === null ? [] : [' ', this.#named(by)];
        return create('p', { class: 'verdict' }, `Nothing is visible: ${reason}`, ...who);
    }
}

function visibility(element) {
    if (badgeOf(element) === '') return 'It may be visible.';
    return element.explanation === null ? 'Not visible.' : `Not visible: it ${element.explanation}.`;
}

function objectTables({ local, scene }) {
    const table = (title, boxes) => [
        create('h3', {}, title),
        boxTable(boxes.map((box, index) => [OBJECT_TITLES[index], box])),
    ];
    return [
        ...table('Object boxes in user space, px', local),
        ...table('Object boxes in scene space, px', scene),
    ];
}

/** A table of boxes with their titles. */
function boxTable(boxes) {
    if (boxes.length === 0) return create('p', { class: 'weak' }, 'none');
    const cells = (box) => {
        if (hasEdges(box)) return numbersOf(box).map((number) => create('td', {}, number));
        return [create('td', { colspan: 4, class: 'weak' }, box === 'plane' ? 'plane' : 'none')];
    };
    return create(
        'table',
        {},
        create('thead', {}, create('tr', {}, create('td'), ...['x', 'y', 'width', 'height'].map((name) =>
            create('th', { scope: 'col' }, name)))),
        create('tbody', {}, ...boxes.map(([title, box]) =>
            create('tr', {}, create('th', { scope: 'row' }, title), ...cells(box)))),
    );
}

/** A list of facts with their names. */
function facts(pairs) {
    return create('dl', {}, ...pairs.flatMap(([name, value]) => [create('dt', {}, name), create('dd', {}, value)]));
}

/** A part of a whole as a percentage. */
function percent(part, whole) {
    return `${(whole > 0 ? (100 * part) / whole : 0).toFixed(1)} %`;
}
