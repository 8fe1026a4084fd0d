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

/** The words for a question without its elements. */
export function wordsOf(question) {
    checkKeys('a question', question, Object.keys(WORDS));
    const options = Object.entries(question).filter(([, value]) => value !== undefined);
    return options.flatMap(([option, value]) => WORDS[option](value).map(String));
}

/** The words for elements: a CSS selector, a path that begins with `/`, or an object with ids and selectors. */
export function wantedWords(target) {
    if (typeof target === 'string') {
        return [target.startsWith('/') ? 'id' : 'select', target];
    }
    const { id, select, ...others } = target ?? {};
    checkKeys('elements', others, []);
    return [...list(id).flatMap((id) => ['id', String(id)]), ...list(select).flatMap((css) => ['select', String(css)])];
}

/** Refuses options that do not exist, which are misspelled. */
export function checkKeys(what, object, known) {
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
