export const bare = {
  name: 'bare fetch',
  make:
    ({ fetch }) =>
    async (url, controller) => {
      const response = await fetch(url, controller && { signal: controller.signal });
      return response.text();
    },
};
