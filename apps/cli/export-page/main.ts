import type { ExportData } from "../src/export/export-data.ts";
import { startPage } from "./page.ts";

const data: ExportData = JSON.parse(document.getElementById("session-data")?.textContent ?? "");
startPage(data);
