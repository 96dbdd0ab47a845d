// The painter by WebGL2: what is there is handed to the graphics card once, a move of the view is two numbers and a zoom.
const VIEW = `
  uniform vec4 view; // the middle x and y, pixels per unit, how large marks are
  uniform vec2 middle; // half of the screen, in pixels
  vec2 onScreen(vec2 place) { return (place - view.xy) * view.z; }
  vec4 asDrawn(vec2 pixels) { return vec4(pixels / middle * vec2(1.0, -1.0), 0.0, 1.0); }`;
const CURVE = `
  vec2 turned(vec2 along) { return vec2(-along.y, along.x); }
  vec2 control(vec2 a, vec2 b, float bend) { return (a + b) / 2.0 + turned(b - a) * bend * 0.22; }`;
const HEAD = "#version 300 es\nprecision highp float;\n";

const MARK_SHADER = [
  `${HEAD}${VIEW}
  layout(location = 0) in vec2 corner;
  layout(location = 1) in vec2 place;
  layout(location = 2) in float size;
  layout(location = 3) in float shape;
  layout(location = 4) in vec4 colour;
  uniform float around; // how far a mark or its glow reaches, in its radii
  out vec2 at;
  out vec4 tint;
  flat out float radius;
  flat out int form;
  void main() {
    radius = size * view.w;
    float reach = radius * around + 2.5;
    at = corner * reach / radius;
    tint = colour;
    form = int(shape);
    gl_Position = asDrawn(onScreen(place) + corner * reach);
  }`,
  `${HEAD}
  uniform vec4 halo; // its colour, and how wide in pixels
  uniform float glowing;
  in vec2 at;
  in vec4 tint;
  flat in float radius;
  flat in int form;
  out vec4 painted;
  float box(vec2 size, float soft) { vec2 far = abs(at) - size + soft; return length(max(far, 0.0)) + min(max(far.x, far.y), 0.0) - soft; }
  float star() { vec2 on = max(abs(at), 0.02); vec2 bent = pow(on, vec2(0.52)); return (bent.x + bent.y - 1.169) / length(0.52 * bent / on); }
  float outside() {
    if (form == 0) return star();
    if (form == 1) return box(vec2(0.86), 0.26);
    if (form == 2) return (abs(at.x) + abs(at.y) / 1.15 - 1.0) * 0.75;
    if (form == 3) return box(vec2(1.4, 0.38), 0.0);
    if (form == 4) return abs(length(at) - 0.725) - 0.275;
    if (form == 5) return max(at.y - 0.8, (abs(at.x) * 1.8 - at.y - 1.0) / 2.06);
    if (form == 6) return abs(length(at) - 0.9) - 0.2;
    if (form == 8) return max(abs(at.x) - 1.0, min(min(abs(at.y + 0.9), abs(at.y + 0.25)), abs(at.y - 0.4)) - 0.2);
    return length(at) - 0.9;
  }
  void main() {
    if (glowing > 0.0) {
      float light = max(0.0, 1.0 - length(at) / 4.0);
      painted = vec4(tint.rgb, 1.0) * tint.a * glowing * light * light * light;
      return;
    }
    float far = outside() * radius, inside = clamp(0.5 - far, 0.0, 1.0) * tint.a, edge = clamp(0.5 + halo.a - far, 0.0, 1.0) * step(0.01, halo.a);
    painted = vec4(tint.rgb * inside + halo.rgb * edge * (1.0 - inside), inside + edge * (1.0 - inside));
  }`,
];
const LINE_SHADER = [
  `${HEAD}${VIEW}${CURVE}
  layout(location = 1) in vec4 ends;
  layout(location = 2) in vec3 how; // bend, width, dash
  layout(location = 4) in vec4 colour;
  uniform float pieces, widen, busy;
  out float aside, along;
  out vec4 tint;
  flat out float thick, dash;
  void main() {
    vec2 a = onScreen(ends.xy), b = onScreen(ends.zw), c = control(a, b, how.x);
    float t = float(gl_VertexID / 2) / pieces, u = 1.0 - t;
    vec2 at = u * u * a + 2.0 * u * t * c + t * t * b, way = 2.0 * (u * (c - a) + t * (b - c));
    thick = how.y * widen;
    dash = how.z;
    float far = thick / 2.0 + 1.0, side = float(gl_VertexID % 2) * 2.0 - 1.0, size = max(length(way), 1e-6);
    aside = side * far;
    along = t * length(b - a);
    tint = vec4(colour.rgb, colour.a * busy);
    gl_Position = asDrawn(at + turned(way / size) * aside);
  }`,
  `${HEAD}
  in float aside, along;
  in vec4 tint;
  flat in float thick, dash;
  out vec4 painted;
  void main() {
    if (dash > 0.5 && mod(along, dash > 1.5 ? 5.5 : 12.0) > (dash > 1.5 ? 1.5 : 7.0)) discard;
    float inside = clamp(thick / 2.0 + 0.5 - abs(aside), 0.0, 1.0) * min(1.0, max(thick, 0.35)) * tint.a;
    painted = vec4(tint.rgb, 1.0) * inside;
  }`,
];
const ARROW_SHADER = [
  `${HEAD}${VIEW}${CURVE}
  layout(location = 1) in vec4 ends; // from where, to where
  layout(location = 2) in vec3 how; // bend, the size of the mark it points at, its own length
  layout(location = 4) in vec4 colour;
  out vec4 tint;
  void main() {
    vec2 a = onScreen(ends.xy), b = onScreen(ends.zw), way = b - (how.x == 0.0 ? a : control(a, b, how.x));
    float far = length(way);
    vec2 ahead = way / max(far, 1e-6), tip = b - ahead * (how.y * view.w + 3.0);
    int corner = gl_VertexID;
    vec2 at = corner == 0 ? tip : tip - ahead * how.z + turned(ahead) * how.z * (corner == 1 ? 0.55 : -0.55);
    tint = colour;
    gl_Position = far < 24.0 ? vec4(2.0, 2.0, 2.0, 1.0) : asDrawn(at);
  }`,
  `${HEAD}
  in vec4 tint;
  out vec4 painted;
  void main() { painted = vec4(tint.rgb, 1.0) * tint.a * 0.85; }`,
];
const FORMS = { star: 0, block: 1, narrative: 2, level: 3, actor: 4, place: 5, unknown: 6, group: 8 };
const FORM_OF_REST = 7;

// What a colour of the page is as four numbers; the browser knows best
const colourNumbers = new Map();
function numbers(colour) {
  if (!colourNumbers.has(colour)) {
    const one = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    one.fillStyle = colour;
    one.fillRect(0, 0, 1, 1);
    colourNumbers.set(colour, [...one.getImageData(0, 0, 1, 1).data].slice(0, 3));
  }
  return colourNumbers.get(colour);
}

// Rows of floats and a colour, to be drawn once each
class Rows {
  constructor(gl, shape) {
    this.gl = gl;
    this.shape = shape;
    this.floats = shape.reduce((sum, [, many]) => sum + many, 0);
    this.wide = this.floats * 4 + 4;
    this.buffer = gl.createBuffer();
    this.count = 0;
  }
  take(things, told) {
    const bytes = new ArrayBuffer(things.length * this.wide),
      floats = new Float32Array(bytes),
      colours = new Uint8Array(bytes),
      row = [];
    things.forEach((thing, i) => {
      const [colour, alpha] = told(thing, row),
        rgb = numbers(colour);
      floats.set(row, (i * this.wide) / 4);
      colours.set(rgb, i * this.wide + this.wide - 4);
      colours[(i + 1) * this.wide - 1] = Math.round(255 * Math.max(0, Math.min(1, alpha)));
    });
    this.count = things.length;
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.buffer);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, bytes, this.gl.DYNAMIC_DRAW);
  }
  bind() {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    let begin = 0;
    for (const [place, many] of this.shape) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, many, gl.FLOAT, false, this.wide, begin);
      gl.vertexAttribDivisor(place, 1);
      begin += many * 4;
    }
    gl.enableVertexAttribArray(4);
    gl.vertexAttribPointer(4, 4, gl.UNSIGNED_BYTE, true, this.wide, begin);
    gl.vertexAttribDivisor(4, 1);
  }
}

function webglPainter(surface) {
  const gl = surface.getContext("webgl2", { alpha: true, antialias: false, premultipliedAlpha: true });
  if (!gl) return null;
  const program = ([vertex, fragment]) => {
    const made = gl.createProgram();
    for (const [kind, source] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    const told = new Map();
    const place = name => {
      if (!told.has(name)) told.set(name, gl.getUniformLocation(made, name));
      return told.get(name);
    };
    return { made, place, works: gl.getProgramParameter(made, gl.LINK_STATUS) };
  };
  const markProgram = program(MARK_SHADER),
    lineProgram = program(LINE_SHADER),
    arrowProgram = program(ARROW_SHADER);
  if (![markProgram, lineProgram, arrowProgram].every(each => each.works)) return null;
  const corners = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, corners);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
  const MARKS = [
      [1, 2],
      [2, 1],
      [3, 1],
    ],
    LINES = [
      [1, 4],
      [2, 3],
    ];
  const marks = new Rows(gl, MARKS),
    lights = new Rows(gl, MARKS),
    straight = new Rows(gl, LINES),
    curved = new Rows(gl, LINES),
    arrows = new Rows(gl, LINES);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  const begin = (one, rows) => {
    gl.bindVertexArray(null);
    for (let place = 0; place < 5; place++) gl.disableVertexAttribArray(place);
    gl.useProgram(one.made);
    gl.uniform4f(one.place("view"), view.x, view.y, view.k, scale());
    gl.uniform2f(one.place("middle"), wide / 2, high / 2);
    rows.bind();
  };
  const paintLines = (rows, pieces) => {
    if (!rows.count) return;
    begin(lineProgram, rows);
    gl.uniform1f(lineProgram.place("pieces"), pieces);
    gl.uniform1f(lineProgram.place("widen"), widen());
    gl.uniform1f(lineProgram.place("busy"), busy());
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 2 * pieces + 2, rows.count);
  };
  const paintMarks = (rows, around, glowing) => {
    if (!rows.count) return;
    begin(markProgram, rows);
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.vertexAttribDivisor(0, 0);
    gl.uniform1f(markProgram.place("around"), around);
    gl.uniform1f(markProgram.place("glowing"), glowing);
    gl.uniform4f(markProgram.place("halo"), ...numbers(halo).map(each => each / 255), crowded() ? 0 : 1.5);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, rows.count);
  };
  return {
    name: "webgl2",
    surface,
    take(there) {
      const told = (node, row) => {
        row[0] = node.x;
        row[1] = node.y;
        row[2] = node.size;
        row[3] = Object.hasOwn(FORMS, node.kind) ? FORMS[node.kind] : FORM_OF_REST;
        return [nodeColour(node), brightness(node)];
      };
      const drawn = (link, row) => {
        row[0] = link.a.x;
        row[1] = link.a.y;
        row[2] = link.b.x;
        row[3] = link.b.y;
        row[4] = link.bend;
        row[5] = 0.5 + level(link) * 0.62;
        row[6] = dash(link);
        return [linkColour(link), (0.26 + level(link) * 0.12) * (row[6] === 2 ? 0.75 : 1)];
      };
      const pointed = (link, row) => {
        const [from, to] = link.direction < 0 ? [link.b, link.a] : [link.a, link.b];
        row[0] = from.x;
        row[1] = from.y;
        row[2] = to.x;
        row[3] = to.y;
        row[4] = link.direction < 0 ? -link.bend : link.bend;
        row[5] = to.size;
        row[6] = 5 + 4 * strengthAt(link);
        return [linkColour(link), 1];
      };
      marks.take([...there.nodes].reverse(), told);
      lights.take(dark.matches ? there.nodes.filter(node => node.kind === "star") : [], told);
      straight.take(
        there.links.filter(link => !link.bend),
        drawn,
      );
      curved.take(
        there.links.filter(link => link.bend),
        drawn,
      );
      arrows.take(
        there.links.filter(link => link.direction),
        pointed,
      );
    },
    paint() {
      gl.viewport(0, 0, surface.width, surface.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      paintLines(straight, 1);
      paintLines(curved, 14);
      if (arrows.count && (view.k > 0.55 || !crowded())) {
        begin(arrowProgram, arrows);
        gl.drawArraysInstanced(gl.TRIANGLES, 0, 3, arrows.count);
      }
      paintMarks(lights, 4, 0.55 * (crowded() ? Math.min(1, view.k * 0.7) : 1));
      paintMarks(marks, 1.5, 0);
      return 0;
    },
  };
}
