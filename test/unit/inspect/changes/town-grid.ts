/** A projection without an EPSG code, as ESRI writes it. */
export const townGrid =
  'PROJCS["Town_Grid_<1911>_&_after",GEOGCS["GCS_Deutsches_Hauptdreiecksnetz",DATUM["D_Deutsches_Hauptdreiecksnetz",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",40000.0],PARAMETER["False_Northing",10000.0],PARAMETER["Central_Meridian",13.627],PARAMETER["Scale_Factor",1.0],PARAMETER["Latitude_Of_Origin",52.4186],UNIT["Meter",1.0]]';
