import { el, mountHeader } from "./page.js";

mountHeader("coverage");
document.getElementById("main").append(el("h1", {}, "Coverage"));
