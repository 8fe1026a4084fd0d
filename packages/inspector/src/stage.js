import { byId } from './dom.js';
import { Marks } from './marks.js';
import { hasEdges, mainBox } from './model.js';
import { drawOutlines } from './outlines.js';
import { View } from './view.js';

/** How far the pointer moves before a click becomes a drag, in CSS pixels. */
const DRAG = 4;

/** How far an arrow key moves the drawing, in CSS pixels. */
const STEP = 48;

/** The factor of one step of the zoom. */
const ZOOM = 1.25;

const BACKGROUNDS = ['checker', 'white', 'black'];

/**
 * The drawing with its boxes.
 *
 * The browser draws the picture in an `<img>`. Browsers neither run scripts nor load anything for an SVG image there, so
 * a hostile drawing can do nothing. In the document itself, it could do everything. The policy in index.html is a second
 * wall, because it allows only scripts and connections of the page.
 */
export class Stage {
    #state;
    #engine;
    #view = new View();
    #node = byId('stage');
    #picture = byId('picture');
    #page = byId('page');
    #canvas = byId('outlines');
    #marks = new Marks(byId('marks'), byId('label'));
    #url = null;
    #crop = null;
    #isFitted = true;
    #frame = 0;
    #areOutlinesOld = false;
    /** The pointers that are down, with their last places. */
    #pointers = new Map();
    #hasDragged = false;
    /** The last place of the pointer. */
    #place = null;
    /** Whether the pointer is over the stage. */
    #isPointing = false;
    /** Whether the element at a place is being searched. */
    #isSearching = false;

    /**
     * @param {import('./state.js').State} state
     * @param {import('./engine.js').Engine} engine
     */
    constructor(state, engine) {
        this.#state = state;
        this.#engine = engine;
        state.addEventListener('selection', () => this.#redraw());
        state.addEventListener('hover', () => this.#drawMarks());
        state.addEventListener('kinds', () => this.#redraw(true));
        this.#picture.addEventListener('error', () => this.#node.classList.add('without-picture'));
        new ResizeObserver(() => this.#resize()).observe(this.#node);
        this.#listen();
    }

    /** Loads the picture of a drawing, which is shown when its boxes are known. */
    load(source) {
        this.#picture.hidden = true;
        this.#node.classList.remove('without-picture');
        this.#revoke();
        // Chromium reads an image as UTF-8, whatever encoding it declares. A mark of UTF-8 overrides the declared one.
        this.#url = URL.createObjectURL(new Blob(['\ufeff', source.text], { type: 'image/svg+xml' }));
        this.#picture.src = this.#url;
    }

    /** Shows the drawing of the state, with its boxes. The boxes are drawn at once. */
    show() {
        const { source, model } = this.#state;
        this.#crop = null;
        this.#place = null;
        this.#node.classList.toggle('is-empty', model === null);
        if (model === null) {
            this.#revoke();
            this.#picture.removeAttribute('src');
        } else {
            // The picture has the size of the drawing, and is scaled. Another size would be another viewport, in which
            // lengths in percent differ.
            this.#picture.style.width = `${model.width}px`;
            this.#picture.style.height = `${model.height}px`;
            this.#picture.hidden = false;
            this.#fit();
        }
        this.#picture.alt = model === null ? '' : `The drawing ${source.name}`;
        this.#draw(true);
    }

    #revoke() {
        if (this.#url !== null) URL.revokeObjectURL(this.#url);
        this.#url = null;
    }

    /** Shows the box that a crop would keep, or none. */
    showCrop(box) {
        this.#crop = box;
        this.#drawMarks();
    }

    fit() {
        this.#fit();
        this.#redraw(true);
    }

    actualSize() {
        this.#zoom(1 / this.#view.scale);
    }

    zoomIn() {
        this.#zoom(ZOOM);
    }

    zoomOut() {
        this.#zoom(1 / ZOOM);
    }

    /** Shows the selected element as large as it fits. */
    zoomToSelection() {
        const element = this.#state.element(this.#state.selected);
        const box = element && mainBox(element);
        if (!box) return;
        this.#isFitted = false;
        this.#view.fit(box, this.#size(), 64);
        this.#redraw(true);
    }

    switchBackground() {
        const { dataset } = this.#node;
        dataset.background = BACKGROUNDS[(BACKGROUNDS.indexOf(dataset.background) + 1) % BACKGROUNDS.length];
    }

    /** Selects the element below the selected one at its place, or the one above it. */
    async selectBelow(direction) {
        if (this.#place === null || this.#state.model === null) return;
        const found = await this.#allAt(this.#place);
        const next = found.indexOf(this.#state.selected) + direction;
        if (found[next] !== undefined) this.#state.select(found[next]);
    }

    #size() {
        return { width: this.#node.clientWidth, height: this.#node.clientHeight };
    }

    #fit() {
        const { model } = this.#state;
        if (model === null) return;
        this.#isFitted = true;
        this.#view.fit([0, 0, model.width, model.height], this.#size(), 16);
    }

    #resize() {
        if (this.#isFitted) this.#fit();
        // A canvas that changes its size in a later frame would flicker.
        this.#draw(true);
    }

    #zoom(factor, x = this.#node.clientWidth / 2, y = this.#node.clientHeight / 2) {
        this.#isFitted = false;
        this.#view.zoom(factor, x, y);
        this.#redraw(true);
    }

    #move(dx, dy) {
        this.#isFitted = false;
        this.#view.move(dx, dy);
        this.#redraw(true);
    }

    /** Draws in the next frame. */
    #redraw(areOutlinesOld = false) {
        this.#areOutlinesOld ||= areOutlinesOld;
        this.#frame ||= requestAnimationFrame(() => this.#draw(this.#areOutlinesOld));
    }

    #draw(withOutlines) {
        cancelAnimationFrame(this.#frame);
        this.#frame = 0;
        const { model, kinds } = this.#state;
        if (withOutlines) {
            this.#areOutlinesOld = false;
            const { left, top, scale } = this.#view;
            this.#picture.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
            if (model) {
                const [x0, y0, x1, y1] = this.#view.toPixels([0, 0, model.width, model.height], 1);
                Object.assign(this.#page.style, {
                    transform: `translate(${x0}px, ${y0}px)`,
                    width: `${x1 - x0}px`,
                    height: `${y1 - y0}px`,
                });
            }
            drawOutlines(this.#canvas, model?.elements ?? [], kinds, this.#view);
            byId('zoom').textContent = `${Number((100 * scale).toPrecision(3))} %`;
        }
        this.#drawMarks();
    }

    #drawMarks() {
        this.#marks.draw(this.#state, this.#view, hasEdges(this.#crop) ? this.#crop : null);
    }

    #listen() {
        const node = this.#node;
        node.addEventListener('pointerdown', (event) => this.#press(event));
        node.addEventListener('pointermove', (event) => this.#movePointer(event));
        node.addEventListener('pointerup', (event) => this.#release(event));
        node.addEventListener('pointercancel', ({ pointerId }) => this.#lift(pointerId));
        node.addEventListener('pointerleave', () => this.#leave());
        node.addEventListener('wheel', (event) => this.#turnWheel(event), { passive: false });
        node.addEventListener('keydown', (event) => this.#pressKey(event));
    }

    /** The place of an event on the stage. */
    #placeOf({ clientX, clientY }) {
        const { left, top } = this.#node.getBoundingClientRect();
        return [clientX - left, clientY - top];
    }

    #press(event) {
        if (this.#state.model === null || event.button !== 0) return;
        this.#node.setPointerCapture(event.pointerId);
        this.#pointers.set(event.pointerId, this.#placeOf(event));
        if (this.#pointers.size === 1) this.#hasDragged = false;
    }

    #movePointer(event) {
        const place = this.#placeOf(event);
        const before = this.#pointers.get(event.pointerId);
        if (before === undefined) {
            this.#point(place);
            return;
        }
        const [dx, dy] = [place[0] - before[0], place[1] - before[1]];
        if (!this.#hasDragged && Math.hypot(dx, dy) < DRAG) return;
        this.#hasDragged = true;
        this.#node.classList.add('is-dragged');
        if (this.#pointers.size === 2) this.#pinch(event.pointerId, before, place);
        else this.#move(dx, dy);
        this.#pointers.set(event.pointerId, place);
    }

    /** Zooms around the finger that does not move. */
    #pinch(moved, before, place) {
        const [[, fixed]] = [...this.#pointers].filter(([id]) => id !== moved);
        const distance = ([x, y]) => Math.max(Math.hypot(x - fixed[0], y - fixed[1]), 1);
        this.#zoom(distance(place) / distance(before), ...fixed);
    }

    /** Forgets a pointer. Returns whether it was down. */
    #lift(pointerId) {
        const wasDown = this.#pointers.delete(pointerId);
        if (this.#pointers.size === 0) this.#node.classList.remove('is-dragged');
        return wasDown;
    }

    async #release(event) {
        const isClick = this.#lift(event.pointerId) && !this.#hasDragged && this.#pointers.size === 0;
        if (!isClick || this.#state.model === null) return;
        this.#place = this.#placeOf(event);
        if (event.altKey) {
            await this.selectBelow(1);
            return;
        }
        const [found = -1] = await this.#allAt(this.#place);
        this.#state.select(found);
    }

    #leave() {
        this.#isPointing = false;
        this.#state.hover(-1);
    }

    #turnWheel(event) {
        if (this.#state.model === null) return;
        event.preventDefault();
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        // The browser reports a pinch on a touchpad as a turn with the control key, in smaller steps.
        const speed = event.ctrlKey ? 0.01 : 0.002;
        const factor = Math.exp(-event.deltaY * lines * speed);
        this.#zoom(Math.min(Math.max(factor, 0.5), 2), ...this.#placeOf(event));
    }

    #pressKey(event) {
        const steps = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };
        const step = steps[event.key];
        if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        this.#move(...step);
    }

    /** Highlights the top-most element at a place, when it is known. Only the last place counts. */
    async #point(place) {
        this.#place = place;
        this.#isPointing = true;
        if (this.#isSearching || this.#state.model === null) return;
        this.#isSearching = true;
        const begin = performance.now();
        // Another drawing may be shown meanwhile, which has no place yet.
        const isWanted = () => this.#isPointing && this.#place !== null && this.#state.model !== null;
        try {
            let searched;
            let found;
            do {
                searched = this.#place;
                found = await this.#allAt(searched);
            } while (isWanted() && this.#place !== searched);
            if (!isWanted()) return;
            this.#state.hover(found[0] ?? -1);
            performance.measure('boxwood:hover', { start: begin });
        } finally {
            this.#isSearching = false;
        }
    }

    /** The indices of the elements at a place, the top-most first. */
    async #allAt([left, top]) {
        const { model } = this.#state;
        const [x, y] = this.#view.toScene(left, top);
        const thin = model.thinAt(x, y, this.#view.scale);
        let found = [];
        if (model.mayHit(x, y)) {
            const paths = await this.#engine.ask('at', { x, y }).catch(() => []);
            if (this.#state.model !== model) return [];
            found = paths.map((path) => model.indexOf(path)).filter((index) => index !== -1);
        }
        if (thin === -1 || found.includes(thin)) return found;
        const isBelow = (index) => model.elements[index].order < model.elements[thin].order;
        const at = found.findIndex(isBelow);
        return found.toSpliced(at === -1 ? found.length : at, 0, thin);
    }
}
