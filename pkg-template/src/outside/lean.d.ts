/** The lean engine as text, which the build makes. */
declare const lean: string;
export default lean;
