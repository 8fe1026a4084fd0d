/** Why a drawing cannot be loaded, or a question cannot be answered. */
export class BoxwoodError extends Error {
    /**
     * @param {string} message The text that the command `boxwood` prints.
     */
    constructor(message) {
        super(message);
        this.name = 'BoxwoodError';
        // Errors of XML name the place in the text.
        const place = / at (\d+):(\d+)/.exec(message);
        /** The line in the text, starting at 1, if the error has a place. */
        this.line = place ? Number(place[1]) : undefined;
        /** The column in the line, in characters, starting at 1. */
        this.column = place ? Number(place[2]) : undefined;
    }
}
