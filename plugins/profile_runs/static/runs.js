import { el, mountHeader } from "./page.js";

mountHeader("runs");
document.getElementById("main").append(el("h1", {}, "Runs"));
