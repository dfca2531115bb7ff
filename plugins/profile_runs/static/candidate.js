import { el, mountHeader } from "./page.js";

mountHeader("candidates");
document.getElementById("main").append(el("h1", {}, "Candidates"));
