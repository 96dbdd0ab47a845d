// Sky: the constellation that `asterism export` writes, in a frame of its own, kept up to date while one looks.
import { follow, text } from "./api.js";
import { tried } from "./app.js";
import { make, quiet } from "./dom.js";

export async function sky(place) {
  const frame = make("iframe", { title: "The constellation", src: "sky.html" });
  const waiting = quiet("Loading the sky …");
  const renew = async () => {
    const drawn = await text("export", { format: "html" }); // the page writes no "<" into its data
    frame.contentWindow.renew(JSON.parse(drawn.split('id="data">')[1].split("</script>")[0]));
    waiting.remove();
  };
  place.append(waiting, frame);
  await new Promise(done => frame.addEventListener("load", done, { once: true }));
  await renew();
  return follow(() => tried(renew));
}
