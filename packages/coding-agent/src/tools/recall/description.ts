export const RECALL_DESCRIPTION = `Get back what a summary or mask replaced: by handle (id or first..last) or query.`;
