// The page: it connects its parts, and opens drawings.
import { byId, create } from './dom.js';
import { ElementPanel } from './element_panel.js';
import { Cancelled, Engine } from './engine.js';
import { ExportPanel } from './export_panel.js';
import { FindingsPanel } from './findings_panel.js';
import { Keys, keyTable } from './keys.js';
import { Legend } from './legend.js';
import { drawingIn } from './link.js';
import { length, mainBox, Model, titleOf } from './model.js';
import { Notices } from './notices.js';
import { mayHaveText, sourceOfFile, sourceOfText } from './source.js';
import { Stage } from './stage.js';
import { State } from './state.js';
import { Tabs } from './tabs.js';
import { Tree } from './tree.js';
import { showWarnings } from './warnings.js';

/** Work that takes longer is shown, in milliseconds. */
const LONG = 200;

/** The files of fonts. */
const FONT = /\.(ttf|otf|woff)$/i;

const state = new State();
const engine = new Engine();
const notices = new Notices();
const stage = new Stage(state, engine);
const tree = new Tree(state);
const elementPanel = new ElementPanel(state, engine, stage, notices);
const findingsPanel = new FindingsPanel(state, engine, notices);
const exportPanel = new ExportPanel(state, engine, stage, notices);
const legend = new Legend(state, engine);
const tabs = new Tabs(showTab);

/** The number of the last drawing that was opened. An older one that is still loaded is not shown. */
let nOpened = 0;

/** The number of the drawing whose text is read, or 0. */
let reading = 0;

/** Ends when the last drawing is opened, or cannot be. */
let opening = Promise.resolve();

/** The names of the fonts that the user added. */
const fontNames = [];

/**
 * Opens a drawing, and shows its boxes.
 *
 * @param {Promise<import('./source.js').Source>} pending
 */
function open(name, pending, options) {
    opening = openNext(name, pending, options);
    return opening;
}

async function openNext(name, pending, { select = null, begin = performance.now() } = {}) {
    nOpened += 1;
    const number = nOpened;
    const isCurrent = () => number === nOpened;
    const progress = showProgress(name);
    let source = null;
    notices.clear();
    byId('welcome').hidden = true;
    try {
        reading = number;
        source = await pending;
        if (!isCurrent()) return;
        reading = 0;
        const needsText = mayHaveText(source.text);
        const asked = engine.ask('open', { bytes: source.bytes, needsText });
        // The browser loads the picture while the worker computes the boxes.
        stage.load(source);
        const answer = await asked;
        if (!isCurrent()) return;
        const model = new Model(answer);
        state.show(source, model);
        stage.show();
        measureFrame(begin, source.name);
        showDocument();
        showWarnings(state, fontNames);
        tree.show();
        if (select !== null) state.select(model.indexOf(select));
        tabs.refresh();
        notices.speak(`Opened ${source.name}: ${model.elements.length} elements.`);
    } catch (error) {
        if (!isCurrent()) return;
        reading = 0;
        showNothing();
        if (error instanceof Cancelled) byId('welcome').hidden = false;
        else notices.alert(`Cannot open ${name}`, error, source?.text ?? '');
    } finally {
        progress.end();
    }
}

/** Measures the time from an event to the frame in which its boxes are on the screen. */
function measureFrame(begin, name) {
    requestAnimationFrame(() => setTimeout(() => performance.measure('boxwood:open', { start: begin, detail: name })));
}

/** Closes the drawing. */
function showNothing() {
    state.show(null, null);
    stage.show();
    showDocument();
    showWarnings(state, fontNames);
    tree.show();
    tabs.refresh();
}

function showDocument() {
    const { source, model } = state;
    document.title = source === null ? 'Boxwood inspector' : `${source.name} – Boxwood inspector`;
    byId('document').replaceChildren(
        ...(source === null
            ? []
            : [create('strong', {}, source.name), ` ${length(model.width)} × ${length(model.height)} px`]),
    );
}

/** Shows that a drawing is loaded, if it takes long. */
function showProgress(name) {
    const begin = performance.now();
    const show = () => {
        byId('progress').hidden = false;
        byId('progress-text').textContent = `Loading ${name}: ${Math.round((performance.now() - begin) / 1000)} s`;
    };
    let interval = 0;
    const timer = setTimeout(() => {
        show();
        interval = setInterval(show, 1000);
    }, LONG);
    const number = nOpened;
    return {
        end() {
            clearTimeout(timer);
            clearInterval(interval);
            if (number === nOpened) byId('progress').hidden = true;
        },
    };
}

/** Opens the first drawing of some files, and adds the fonts among them. */
async function openFiles(files, begin = performance.now()) {
    const fonts = files.filter(({ name }) => FONT.test(name));
    const drawings = files.filter(({ name }) => !FONT.test(name));
    if (drawings.length > 1) notices.say(`Opened ${drawings[0].name}, the first of ${drawings.length} drawings.`);
    if (fonts.length > 0 && !(await addFonts(fonts))) return;
    if (drawings.length > 0) {
        leaveLink();
        replaceWork();
        await open(drawings[0].name, sourceOfFile(drawings[0]), { begin });
    } else if (fonts.length > 0) {
        // A drawing that is being opened was asked for without the fonts.
        await opening;
        if (state.source === null) return;
        await open(state.source.name, Promise.resolve(state.source), { select: state.element(state.selected)?.path });
    }
}

/** Ends the work on a drawing that nobody waits for any more. */
function replaceWork() {
    if (engine.isBusy('open')) engine.restart();
}

async function addFonts(files) {
    try {
        for (const file of files) {
            await engine.addFont(new Uint8Array(await file.arrayBuffer()));
            fontNames.push(file.name);
        }
        notices.say(`Added ${files.map(({ name }) => name).join(', ')}.`);
        return true;
    } catch (error) {
        notices.alert('Cannot add the font', error, '');
        return false;
    }
}

function openText(name, text, begin = performance.now()) {
    leaveLink();
    replaceWork();
    return open(name, Promise.resolve(sourceOfText(name, text)), { begin });
}

async function openSample() {
    leaveLink();
    replaceWork();
    await open('sample.svg', sample());
}

async function sample() {
    const response = await fetch(new URL('sample.svg', import.meta.url));
    if (!response.ok) throw new Error(`cannot load sample.svg: ${response.status} ${response.statusText}`);
    return sourceOfText('sample.svg', await response.text());
}

/** Opens the drawing in the address, if there is one. */
async function openLink() {
    let linked;
    try {
        linked = await drawingIn(location.hash);
    } catch (error) {
        notices.alert('Cannot open the drawing in the address', error, '');
        return;
    }
    if (linked === null) return;
    replaceWork();
    await open(linked.source.name, Promise.resolve(linked.source), { select: linked.select });
}

/** Takes the drawing out of the address, because another one is shown. */
function leaveLink() {
    if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
}

function showTab(tab) {
    if (tab === 'element') elementPanel.show();
    if (tab === 'audit' || tab === 'outside') findingsPanel.show();
    if (tab === 'export') exportPanel.show();
    else exportPanel.hide();
}

/** Cancels work, closes an error, or deselects: whatever there is first. */
function cancel() {
    if (engine.isBusy('open')) engine.restart();
    else if (reading !== 0) stopReading();
    else if (!byId('alert').hidden) {
        notices.clear();
        byId('welcome').hidden = state.model !== null;
    } else state.select(-1);
}

/** Keeps the drawing that is shown, and does not open the one whose text is read. */
function stopReading() {
    nOpened += 1;
    reading = 0;
    byId('progress').hidden = true;
    byId('welcome').hidden = state.model !== null;
}

function showReadout() {
    const element = state.element(state.hovered) ?? state.element(state.selected);
    const box = element && mainBox(element);
    let text = '';
    if (element) {
        const place = box ? `${length(box[2] - box[0])} × ${length(box[3] - box[1])} at ${length(box[0])}, ${length(box[1])}` : 'no visible box';
        text = `${titleOf(element)} ${place}`;
        notices.speak(text);
    }
    byId('readout').textContent = text;
}

function pasteInDialog() {
    const dialog = byId('paste-dialog');
    byId('paste-text').value = '';
    dialog.returnValue = '';
    dialog.showModal();
}

function listenToFiles() {
    byId('open').addEventListener('click', () => byId('file').click());
    byId('file').addEventListener('change', ({ target }) => {
        const files = [...target.files];
        // The same file can be opened again.
        target.value = '';
        openFiles(files);
    });
    byId('paste').addEventListener('click', pasteInDialog);
    byId('paste-dialog').addEventListener('close', ({ target }) => {
        if (target.returnValue === 'open') openText('pasted.svg', byId('paste-text').value);
    });
    document.addEventListener('paste', (event) => {
        if (event.target.closest?.('input, textarea')) return;
        const files = [...event.clipboardData.files].filter(({ type, name }) => type === 'image/svg+xml' || FONT.test(name));
        const text = event.clipboardData.getData('text/plain');
        if (files.length > 0) openFiles(files);
        else if (text.trim() !== '') openText('pasted.svg', text);
    });
    listenToDrops();
}

function listenToDrops() {
    const hint = byId('drop');
    document.addEventListener('dragover', (event) => {
        event.preventDefault();
        hint.hidden = false;
    });
    document.addEventListener('dragleave', ({ relatedTarget }) => {
        hint.hidden ||= relatedTarget === null;
    });
    document.addEventListener('drop', (event) => {
        event.preventDefault();
        const begin = performance.now();
        hint.hidden = true;
        const files = [...event.dataTransfer.files];
        const text = event.dataTransfer.getData('text/plain');
        if (files.length > 0) openFiles(files, begin);
        else if (text !== '') openText('dropped.svg', text, begin);
    });
}

function listenToButtons(commands) {
    for (const [id, run] of Object.entries({
        sample: openSample,
        'welcome-sample': openSample,
        help: commands.help,
        cancel,
        'zoom-in': commands.zoomIn,
        'zoom-out': commands.zoomOut,
        'actual-size': commands.actualSize,
        fit: commands.fit,
        background: commands.background,
    })) {
        byId(id).addEventListener('click', () => run());
    }
}

function start() {
    byId('not-served').remove();
    const commands = {
        toggle: (kind) => legend.toggle(kind),
        zoomIn: () => stage.zoomIn(),
        zoomOut: () => stage.zoomOut(),
        actualSize: () => stage.actualSize(),
        fit: () => stage.fit(),
        zoomToSelection: () => stage.zoomToSelection(),
        background: () => stage.switchBackground(),
        step: (direction) => tree.step(direction),
        selectParent: () => state.select(state.element(state.selected)?.parent ?? -1),
        selectBelow: (direction) => stage.selectBelow(direction),
        copy: (format) => elementPanel.copy(format),
        open: () => byId('file').click(),
        cancel,
        help: () => byId('help-dialog').showModal(),
    };
    new Keys(keyTable(commands));
    listenToFiles();
    listenToButtons(commands);
    state.addEventListener('hover', showReadout);
    state.addEventListener('selection', showReadout);
    state.addEventListener('drawing', showReadout);
    window.addEventListener('hashchange', openLink);
    tabs.refresh();
    openLink();
}

start();
