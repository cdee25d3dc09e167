// Deterministic transcendental functions: the same bits on every compiler and machine, unlike those
// of the C library. They are computed in double from +, -, *, / and sqrt alone and rounded once to
// float, so that errors stay within 1 unit in the last place.
//
// Source: argument reduction after Cody and Waite, polynomials from the Taylor and Pade forms
// (checked against 80-bit references in tests/math/trig_test.cpp).
#pragma once

namespace sinew {

struct SinCos {
  float sin;
  float cos;
};

// x in radians, any finite value; accuracy falls off beyond |x| > 1e6. Not finite -> {0, 1}.
SinCos sincos(float x);
float sin(float x);
float cos(float x);

// The same without the last rounding, within 2 units in the last place of a double for |x| < 1e6.
// For importers, which compose many rotations before they round.
struct SinCosDouble {
  double sin;
  double cos;
};
SinCosDouble sincos(double x);
// sin/cos; at the poles a large finite number.
float tan(float x);

// Arguments outside [-1, 1] are clamped, NaN gives 0 for asin and pi/2 for acos.
float asin(float x);
float acos(float x);

float atan(float x);
// Angle of the point (x, y) in (-pi, pi]; (0, 0) and NaN give 0.
float atan2(float y, float x);

// e^x, clamped to [0, largest float]; NaN gives 0.
float exp(float x);
double exp(double x);
// Natural logarithm; x <= 0 or NaN gives the lowest float.
float log(float x);
// base^exponent for base > 0.
float pow(float base, float exponent);

}  // namespace sinew
