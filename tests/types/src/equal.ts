/** `true` if two types are the same, `any` and optional properties included. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Does not compile unless its argument is `true`. */
export function assert<_Claim extends true>(): void {}
