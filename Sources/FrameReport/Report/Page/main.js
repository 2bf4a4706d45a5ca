// Puts the page to work: pictures for print and for what has no other form, then what can be explored.

/** Shows the pictures that the page carries compressed: a light and a dark one each. @param {string[]} packed */
async function showPictures(packed) {
  const images = Array.from(document.querySelectorAll("img[data-picture]"));
  for (const image of images) {
    const own = packed[Number(image.getAttribute("data-picture"))];
    const both = new TextDecoder().decode(await inflate(own)).split("\0");
    const [light, dark] = both.map((text) => URL.createObjectURL(new Blob([text], { type: "image/svg+xml" })));
    image.before(element("source", { media: "screen and (prefers-color-scheme: dark)", srcset: dark }));
    image.setAttribute("src", light);
  }
}

async function main() {
  const data = parsed(document.getElementById("page-data").textContent);
  document.documentElement.classList.add("explorable");
  if (data.isServed) listen();
  if (data.comparison) new ComparisonPicture(document.getElementById("explore-comparison"), data.comparison);
  const launches = document.getElementById("explore-launches");
  if (launches && data.launches) {
    new LaunchPicture(launches, parsed(new TextDecoder().decode(await inflate(data.launches))));
  }
  const place = document.getElementById("explore");
  if (place && data.surfaces.length > 0) {
    const explorer = new Explorer(place, data.surfaces, data.isServed, data.pair ?? null);
    try {
      await explorer.readLink();
    } catch (error) {
      // A link that makes no sense leads to the page as it is without one.
      console.warn(error);
      await explorer.show(0);
    }
  }
  await showPictures(data.pictures);
  document.documentElement.dataset.ready = "true";
}

main();
