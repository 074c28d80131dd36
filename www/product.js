// The package under demonstration, as `cargo xtask build` makes it.

export const BASE = new URL('/pkg/', location.href);

/** Rejects with a text for the visitor if it is not there. */
export async function loadProduct() {
  try {
    const product = await import('/pkg/index.js');
    // So that the first call shows the network, not the loading.
    await product.ready();
    return product;
  } catch (error) {
    throw new Error(`The package could not be loaded (${error.message}). "cargo xtask demo" builds it and serves this page.`, { cause: error });
  }
}
