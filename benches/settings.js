// What every contestant is told, in milliseconds; none of the limits is met while it is measured.
export const SETTINGS = { timeout: 10_000, totalTimeout: 30_000, retries: 3, delay: 1_000 };
