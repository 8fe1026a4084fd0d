import { byId, copyText, create, download } from './dom.js';
import { Cancelled } from './engine.js';
import { fragmentOf, MAX_LINK } from './link.js';
import { length, titleOf } from './model.js';
import { decoded } from './source.js';

/** The crop of the drawing, its boxes as a file, and the link to it. */
export class ExportPanel {
    #state;
    #engine;
    #stage;
    #notices;
    /** The text of the cropped drawing. */
    #cropped = null;
    #isOpen = false;
    /** The number of the last question for a crop. The answers to older ones are not shown. */
    #nAsked = 0;

    constructor(state, engine, stage, notices) {
        this.#state = state;
        this.#engine = engine;
        this.#stage = stage;
        this.#notices = notices;
        for (const id of ['padding', 'square', 'only-selected']) {
            byId(id).addEventListener('input', () => this.show());
        }
        byId('crop-form').addEventListener('submit', (event) => {
            event.preventDefault();
            this.#download();
        });
        byId('boxes-json').addEventListener('click', () => this.#downloadBoxes());
        byId('copy-link').addEventListener('click', () => this.copyLink());
        state.addEventListener('selection', () => this.#isOpen && this.show());
    }

    /** Computes the crop with the current options, and shows the box that it keeps. */
    async show() {
        this.#isOpen = true;
        this.#cropped = null;
        this.#nAsked += 1;
        const number = this.#nAsked;
        const { model, source, selected } = this.#state;
        const element = this.#state.element(selected);
        byId('only-selected').disabled = element === undefined;
        byId('only-selected-name').textContent = element ? `only ${titleOf(element)}` : 'only the selected element';
        byId('crop-download').disabled = true;
        if (model === null) byId('crop-result').textContent = '';
        byId('boxes-json').disabled = byId('copy-link').disabled = model === null;
        if (model === null) return;
        const padding = byId('padding').valueAsNumber || 0;
        const square = byId('square').checked;
        const path = element && byId('only-selected').checked ? element.path : undefined;
        try {
            const { bytes, ink } = await this.#engine.ask('crop', { padding, square, path });
            // Another drawing may be shown, or the options may have changed.
            if (this.#state.model !== model || !this.#isOpen || this.#nAsked !== number) return;
            this.#cropped = bytes ?? source.bytes;
            byId('crop-download').disabled = false;
            this.#stage.showCrop(ink && kept(ink, padding, square));
            const [before, after] = [source.text, decoded(this.#cropped)].map(viewBoxOf);
            byId('crop-result').replaceChildren(
                ...(bytes === null
                    ? ['The drawing is cropped already.']
                    : ['viewBox ', create('s', {}, before), ' → ', create('strong', {}, after)]),
            );
        } catch (error) {
            if (error instanceof Cancelled || this.#nAsked !== number) return;
            this.#stage.showCrop(null);
            byId('crop-result').textContent = error.message;
        }
    }

    /** Hides the box that the crop keeps. */
    hide() {
        this.#isOpen = false;
        this.#stage.showCrop(null);
    }

    /** Copies an address that contains the drawing, and goes there. */
    async copyLink() {
        const { source } = this.#state;
        if (source === null) return;
        const fragment = await fragmentOf(source, this.#state.element(this.#state.selected)?.path);
        if (fragment === null) {
            this.#notices.say(`The drawing is too large for a link: compressed, it has more than ${MAX_LINK / 1024} KiB.`);
            return;
        }
        history.replaceState(null, '', fragment);
        try {
            await copyText(location.href);
            this.#notices.say(`Copied a link with the drawing (${location.href.length.toLocaleString('en')} characters).`);
        } catch {
            this.#notices.say('The link with the drawing is in the address bar.');
        }
    }

    #download() {
        if (this.#cropped === null) return;
        const name = `${stem(this.#state.source.name)}-cropped.svg`;
        download(name, this.#cropped, 'image/svg+xml');
        this.#notices.say(`Downloaded ${name}.`);
    }

    async #downloadBoxes() {
        const { source } = this.#state;
        let answer;
        try {
            answer = await this.#engine.ask('query');
        } catch (error) {
            this.#notices.say(`Cannot download the boxes: ${error.message}`);
            return;
        }
        const name = `${stem(source.name)}-boxes.json`;
        download(name, JSON.stringify(answer, null, 2), 'application/json');
        this.#notices.say(`Downloaded ${name}.`);
    }
}

/** The box that a crop keeps: the ink with padding, in a square if it is asked for. */
function kept({ x, y, width, height }, padding, square) {
    const [dx, dy] = square ? [Math.max(height - width, 0) / 2, Math.max(width - height, 0) / 2] : [0, 0];
    const [left, top] = [padding + dx, padding + dy];
    return [x - left, y - top, x + width + left, y + height + top];
}

/** The numbers of the viewBox of a drawing, rounded. */
function viewBoxOf(text) {
    const numbers = /<(?:[\w.-]+:)?svg\b(?:[^>"']|"[^"]*"|'[^']*')*?\sviewBox\s*=\s*["']([^"']*)["']/.exec(text)?.[1];
    return numbers?.trim().split(/[\s,]+/).map((number) => length(Number(number))).join(' ') ?? 'none';
}

function stem(name) {
    return name.replace(/\.svgz?$/i, '');
}
