import { byId, create } from './dom.js';

/**
 * Shows what is not bounded as SVG prescribes, and where the boxes can differ from the picture.
 *
 * @param {import('./state.js').State} state
 * @param {string[]} fontNames The fonts that the user added.
 */
export function showWarnings({ model }, fontNames) {
    const texts = model === null ? [] : messages(model, fontNames);
    byId('warnings').hidden = texts.length === 0;
    byId('warnings-title').textContent = texts.length === 1 ? '1 note' : `${texts.length} notes`;
    byId('warnings-list').replaceChildren(...texts.map((text) => create('li', {}, text)));
}

function messages({ warnings, mayChange, elements }, fontNames) {
    const texts = warnings.map(({ message, count, first }) => {
        const times = count > 1 ? ` (${count} times, first at ${first})` : ` (${first})`;
        return message + (first === '' ? '' : times);
    });
    if (elements.some(({ tag, boxes }) => tag === 'text' && boxes.leaf)) {
        const fonts = [...fontNames, 'Noto Sans'].join(', ');
        texts.unshift(
            `The boxes of texts are those of the fonts that this page has (${fonts}). The picture is in the fonts of the ` +
                'browser, so texts can differ. Drop the file of a font to add it.',
        );
    }
    if (mayChange.length > 0) {
        texts.push(`The boxes are those of the drawing as it is loaded. These may change it: ${mayChange.join(', ')}.`);
    }
    return texts;
}
