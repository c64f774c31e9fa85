/** Cesium loads its workers and pictures from here. Imported before Cesium, which reads it at once. */
Object.assign(globalThis, { CESIUM_BASE_URL: '/cesium/' });
