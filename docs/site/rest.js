/* global SwaggerUIBundle */
// Shows the OpenAPI document in the language of the page.
addEventListener("DOMContentLoaded", () => {
  SwaggerUIBundle({
    url: `openapi.${document.documentElement.lang}.json`,
    dom_id: "#reference",
    deepLinking: true,
    supportedSubmitMethods: [],
  });
});
