import type { Language } from "./highlight-js-core.js";

declare const language: Language;
export default language;
