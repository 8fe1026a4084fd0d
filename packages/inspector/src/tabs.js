import { byId } from './dom.js';

/** Below this width, the tree is a tab as well. It is that of the style sheet. */
const NARROW = matchMedia('(max-width: 899px)');

/** The tabs at the side. */
export class Tabs {
    #tabs = [...document.querySelectorAll('[role=tab]')];
    #selected = 'element';
    #onShow;

    /** @param {(tab: string) => void} onShow Is called with a tab that is shown. */
    constructor(onShow) {
        this.#onShow = onShow;
        for (const tab of this.#tabs) {
            tab.addEventListener('click', () => this.#select(tab));
            tab.addEventListener('keydown', (event) => this.#pressKey(event));
        }
        NARROW.addEventListener('change', () => {
            if (!NARROW.matches && this.#selected === 'tree') this.#select(byId('tab-element'));
        });
    }

    /** Shows the current tab again, because the drawing is another one. */
    refresh() {
        this.#onShow(this.#selected);
    }

    #select(selected) {
        this.#selected = selected.id.slice('tab-'.length);
        byId('layout').dataset.tab = this.#selected;
        for (const tab of this.#tabs) {
            const isSelected = tab === selected;
            tab.setAttribute('aria-selected', String(isSelected));
            tab.tabIndex = isSelected ? 0 : -1;
            // Without room for it, the style sheet hides the tree.
            if (tab.id !== 'tab-tree') byId(tab.getAttribute('aria-controls')).hidden = !isSelected;
        }
        this.#onShow(this.#selected);
    }

    #pressKey(event) {
        const tabs = this.#tabs.filter((tab) => tab.offsetParent !== null);
        const at = tabs.indexOf(event.currentTarget);
        const targets = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 };
        if (!(event.key in targets)) return;
        event.preventDefault();
        const tab = tabs.at(targets[event.key] % tabs.length);
        this.#select(tab);
        tab.focus();
    }
}
