import { BoxwoodError } from './errors.js';

/** For each option of a question, the words for the module: pairs of an option and a value. */
const WORDS = {
    kinds: (kinds) => list(kinds).flatMap((kind) => ['kind', kind]),
    include: (parts) => {
        const sets = Array.isArray(parts) && Array.isArray(parts[0]) ? parts : [parts];
        return sets.flatMap((set) => ['include', list(set).join(',')]);
    },
    space: (space) => ['space', space],
    zoom: (zoom) => ['zoom', String(zoom)],
    unit: (unit) => ['unit', unit],
    at: (point) => ['at', point.join(',')],
    within: (rectangle) => ['within', rectangle.join(',')],
    precise: (isPrecise) => (isPrecise ? ['precise', ''] : []),
};

/** The options of a question, besides its elements. */
export const QUESTION = Object.keys(WORDS);

/** The words for a question without its elements. */
export function wordsOf(question) {
    const options = Object.entries(question).filter(([, value]) => value !== undefined);
    return options.flatMap(([option, value]) => WORDS[option](value).map(String));
}

/** The words for elements: a CSS selector, a path that begins with `/`, or an object with ids and selectors. */
export function wantedWords(target = {}) {
    if (typeof target === 'string') {
        return [target.startsWith('/') ? 'id' : 'select', target];
    }
    checkKeys('elements', target, ['id', 'select']);
    const { id, select } = target;
    return [...list(id).flatMap((id) => ['id', String(id)]), ...list(select).flatMap((css) => ['select', String(css)])];
}

/** The same for a question that needs an element. Without one, a variable is probably misspelled. */
export function namedWords(what, target) {
    const words = wantedWords(target);
    if (words.length === 0) throw new BoxwoodError(`${what}: name an element by a selector, a path, or { id }`);
    return words;
}

/** Refuses options that do not exist, which are misspelled. */
export function checkKeys(what, object, known) {
    if (typeof object !== 'object' || object === null || Array.isArray(object)) {
        throw new BoxwoodError(`${what}: \`${object}\` is not an object with options`);
    }
    const unknown = Object.keys(object).find((key) => !known.includes(key));
    if (unknown !== undefined) {
        const options = known.length > 0 ? `: it has ${known.join(', ')}` : '';
        throw new BoxwoodError(`${what}: there is no option \`${unknown}\`${options}`);
    }
}

export function list(value) {
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value : [value];
}
