/** A lesson: drives the live picture beside its text. */
export {};
