/** The map of the course: marks what has been read. */
export {};
