import type { Vendor } from "./vendor.ts";

/**
 * Every known vendor by the name its models carry as `provider`: one line and one folder each.
 *
 * Variables are those of the vendors' own documentation (2026-11).
 */
export const vendors: Readonly<Record<string, Vendor>> = {
  anthropic: { keyVariables: ["ANTHROPIC_API_KEY"], load: () => import("./anthropic/models.generated.ts") },
  openai: { keyVariables: ["OPENAI_API_KEY"], load: () => import("./openai/models.generated.ts") },
  google: {
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    load: () => import("./google/models.generated.ts"),
  },
  xai: { keyVariables: ["XAI_API_KEY"], load: () => import("./xai/models.generated.ts") },
  groq: { keyVariables: ["GROQ_API_KEY"], load: () => import("./groq/models.generated.ts") },
  deepseek: { keyVariables: ["DEEPSEEK_API_KEY"], load: () => import("./deepseek/models.generated.ts") },
  openrouter: {
    keyVariables: ["OPENROUTER_API_KEY"],
    load: () => import("./openrouter/models.generated.ts"),
  },
  cerebras: { keyVariables: ["CEREBRAS_API_KEY"], load: () => import("./cerebras/models.generated.ts") },
  together: { keyVariables: ["TOGETHER_API_KEY"], load: () => import("./together/models.generated.ts") },
  fireworks: { keyVariables: ["FIREWORKS_API_KEY"], load: () => import("./fireworks/models.generated.ts") },
  moonshotai: { keyVariables: ["MOONSHOT_API_KEY"], load: () => import("./moonshotai/models.generated.ts") },
  zai: { keyVariables: ["ZAI_API_KEY"], load: () => import("./zai/models.generated.ts") },
  minimax: { keyVariables: ["MINIMAX_API_KEY"], load: () => import("./minimax/models.generated.ts") },
  huggingface: { keyVariables: ["HF_TOKEN"], load: () => import("./huggingface/models.generated.ts") },
  nvidia: { keyVariables: ["NVIDIA_API_KEY"], load: () => import("./nvidia/models.generated.ts") },
  "vercel-ai-gateway": {
    keyVariables: ["AI_GATEWAY_API_KEY"],
    load: () => import("./vercel-ai-gateway/models.generated.ts"),
  },
  baseten: { keyVariables: ["BASETEN_API_KEY"], load: () => import("./baseten/models.generated.ts") },
  meta: { keyVariables: ["META_API_KEY"], load: () => import("./meta/models.generated.ts") },
  "kimi-coding": { keyVariables: ["KIMI_API_KEY"], load: () => import("./kimi-coding/models.generated.ts") },
};
