import { byId, create } from './dom.js';
import { KINDS } from './kinds.js';

/** Where the browser keeps whether keys without a modifier are commands. */
const SETTING = 'boxwood-keys';

/**
 * The keys and their commands. They are those of the native viewer, except `0`, which shows the drawing at 100 %.
 *
 * @param {Record<string, (argument?: any) => void>} commands
 */
export function keyTable(commands) {
    const command = (keys, help, run) => ({ keys, help, run });
    return [
        ...KINDS.map(({ key, name }) => command([key], `Show or hide ${name} boxes.`, () => commands.toggle(name))),
        command(['+', '='], 'Zoom in around the centre.', commands.zoomIn),
        command(['-'], 'Zoom out around the centre.', commands.zoomOut),
        command(['0'], 'Show the drawing at 100 %.', commands.actualSize),
        command(['f'], 'Show the drawing as large as fits.', commands.fit),
        command(['z'], 'Show the selected element as large as fits.', commands.zoomToSelection),
        command(['b'], 'Switch between a checker, white, and black behind the drawing.', commands.background),
        command(['ArrowUp'], 'Select the element in the row above, in the tree.', () => commands.step(-1)),
        command(['ArrowDown'], 'Select the element in the row below, in the tree.', () => commands.step(1)),
        command(['Backspace'], 'Select the element around the selected one.', commands.selectParent),
        command(['g'], 'Select the next element below the selected one at the pointer.', () => commands.selectBelow(1)),
        command(['G'], 'Select the next element above the selected one at the pointer.', () => commands.selectBelow(-1)),
        command(['c'], 'Copy the boxes of the selected element as JSON.', () => commands.copy('json')),
        command(['C'], 'Copy the clipped box of the selected element as an SVG rect.', () => commands.copy('svg')),
        command(['y'], 'Copy a CSS selector that selects the selected element.', () => commands.copy('selector')),
        command(['o'], 'Open a drawing, or add a font.', commands.open),
        command(['Escape'], 'Cancel work, close an error, or deselect.', commands.cancel),
        command(['?'], 'Show the keys.', commands.help),
    ];
}

/** Input that is not in the table of keys. */
const OTHERS = [
    ['Ctrl+V', 'Open the drawing in the clipboard.'],
    ['Arrow keys', 'Move the drawing, while it has the focus.'],
    ['Drag', 'Move the drawing.'],
    ['Wheel, pinch', 'Zoom around the pointer.'],
    ['Click', 'Select the element under the pointer.'],
    ['Alt+click', 'Select the next element below the selected one.'],
    ['Drop', 'Open a drawing, or add a font.'],
];

/** The names of keys that differ from those of the browser. A capital letter is a command of its own. */
const SIGNS = { ArrowUp: 'Up', ArrowDown: 'Down', Escape: 'Esc', G: 'Shift+G', C: 'Shift+C' };

/** Listens to the keys of a table, and shows them in a dialog. */
export class Keys {
    #table;
    #areOn = stored() !== 'off';

    constructor(table) {
        this.#table = table;
        const keyed = table.map(({ keys, help }) => [keys.map(signOf).join('  '), help]);
        byId('keys').replaceChildren(
            ...[...keyed, ...OTHERS].map(([key, help]) =>
                create('tr', {}, create('th', { scope: 'row' }, create('kbd', {}, key)), create('td', {}, help))),
        );
        const box = byId('keys-on');
        box.checked = this.#areOn;
        box.addEventListener('change', () => {
            this.#areOn = box.checked;
            store(box.checked ? 'on' : 'off');
        });
        document.addEventListener('keydown', (event) => this.#press(event));
    }

    #press(event) {
        const { target, key } = event;
        if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
        if (!this.#areOn && key !== 'Escape') return;
        if (target.closest('dialog, textarea, select, input:not([type=checkbox])')) return;
        // Arrow keys move through tabs and scroll panels.
        if (key.startsWith('Arrow') && target.closest('[role=tablist], [role=tabpanel]')) return;
        const name = key in SIGNS || key.length > 1 ? key : key.toLowerCase();
        const command = this.#table.find(({ keys }) => keys.includes(name));
        if (command === undefined) return;
        event.preventDefault();
        command.run();
    }
}

/** A key as it is called. */
function signOf(key) {
    return SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** The stored setting. Some browsers refuse access to the storage of pages without cookies. */
function stored() {
    try {
        return localStorage.getItem(SETTING);
    } catch {
        return null;
    }
}

function store(value) {
    try {
        localStorage.setItem(SETTING, value);
    } catch {
        // The setting holds until the page is closed.
    }
}
