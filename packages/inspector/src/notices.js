import { byId, create } from './dom.js';
import { Cancelled } from './engine.js';
import { excerpt } from './source.js';

/** How long a message is shown, in milliseconds. */
const SHOWN = 6000;

/** How long the pointer rests before a screen reader hears what is below it, in milliseconds. */
const REST = 400;

/** Errors, messages, and what screen readers hear. */
export class Notices {
    #alert = byId('alert');
    #toast = byId('toast');
    #spoken = byId('spoken');
    #hide = 0;
    #speak = 0;

    /** Shows why a drawing cannot be opened, with the place in its text. */
    alert(title, error, text) {
        const place = error.line === undefined ? '' : ` in line ${error.line}, column ${error.column}`;
        this.#alert.replaceChildren(
            create('h2', {}, title + place),
            create('p', {}, error.message),
            ...(error.line === undefined ? [] : [excerptNode(text, error.line, error.column, 2)]),
        );
        this.#alert.hidden = false;
    }

    clear() {
        this.#alert.hidden = true;
        this.#alert.replaceChildren();
    }

    /** Shows an error in place of an answer. */
    fail(error, node) {
        if (error instanceof Cancelled) return;
        node.replaceChildren(create('p', { class: 'verdict', role: 'alert' }, error.message));
    }

    /** Shows a message for some seconds. */
    say(text) {
        this.#toast.textContent = text;
        this.#toast.classList.add('is-shown');
        clearTimeout(this.#hide);
        this.#hide = setTimeout(() => {
            this.#toast.classList.remove('is-shown');
            this.#toast.textContent = '';
        }, SHOWN);
    }

    /** Says something to screen readers, when it no longer changes. */
    speak(text) {
        clearTimeout(this.#speak);
        this.#speak = setTimeout(() => {
            this.#spoken.textContent = text;
        }, REST);
    }
}

/** Some lines of a text around a place, which is marked. */
export function excerptNode(text, line, column, nAround) {
    const lines = excerpt(text, line, column, nAround).map(({ number, text, mark }) => {
        const content = mark === -1 ? [text] : marked(text, mark);
        return create(
            'span',
            { class: mark === -1 ? 'line' : 'line is-marked' },
            create('span', { class: 'number' }, String(number)),
            create('span', {}, ...content),
        );
    });
    return create('pre', { class: 'excerpt', tabindex: 0, role: 'region', 'aria-label': `The text at line ${line}` }, ...lines);
}

function marked(text, index) {
    const characters = [...text];
    const at = Math.min(index, characters.length);
    return [
        characters.slice(0, at).join(''),
        create('mark', {}, characters[at] ?? ' '),
        characters.slice(at + 1).join(''),
    ];
}
