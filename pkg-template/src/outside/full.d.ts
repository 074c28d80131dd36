/** The full engine as text, which the build makes. */
declare const full: string;
export default full;
