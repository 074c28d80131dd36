// Names the type of a value that a callback gave, and shows nothing of the value.

export const typeName = (value: unknown): string => (value === null ? 'null' : typeof value);
