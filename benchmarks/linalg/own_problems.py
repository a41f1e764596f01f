#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Generates problems that no published set contains, for benchmarks/linalg.

    own_problems.py applications           formulas of many domains
    own_problems.py random COUNT           random expressions
    own_problems.py random COUNT signs     the same with differences, signs and scalars

Prints JSON of the published sets' form for `tools/bench linalg --file`; extents are meant to be
divided by 5 and by 2, as theirs are. The same arguments, the same problems.
"""

import json
import random
import sys

KINDS = {"m": "Matrix", "v": "ColumnVector", "i": "IdentityMatrix", "s": "Scalar"}
PROPERTIES = {"F": "FullRank", "D": "Diagonal", "S": "Symmetric", "L": "LowerTriangular",
              "U": "UpperTriangular", "+": "Positive"}

# Domain, extents, operands (name:kind:extents:properties), equations.
APPLICATIONS = [
    ("optimisation 1", "m=1000 n=2000",
     "b:v:m; c:v:n; A:m:m,n:F; W:m:n,n:D,SPD",
     "x = W*(trans(A)*inv(A*W*trans(A))*b - c)"),
    ("optimisation 2, W dense", "m=1000 n=2000",
     "b:v:m; c:v:n; x:v:n; A:m:m,n:F; W:m:n,n:SPD",
     "xf = W*trans(A)*inv(A*W*trans(A))*(b - A*x); xo = W*(trans(A)*inv(A*W*trans(A))*A*x - c)"),
    ("triangular inversion by blocks", "n=2000 b=200 k=2000",
     "L00:m:n,n:L,F; L10:m:b,n:F; L11:m:b,b:L,F; L20:m:k,n:F; L21:m:k,b:F; L22:m:k,k:L,F",
     "X10 = L10*inv(L00); X20 = L20 + inv(L22)*L21*inv(L11)*L10; X11 = inv(L11); X21 = "
     "-inv(L22)*L21"),
    ("triangular inversion by blocks, equal", "n=1000",
     "L00:m:n,n:L,F; L10:m:n,n:F; L11:m:n,n:L,F; L20:m:n,n:F; L21:m:n,n:F; L22:m:n,n:L,F",
     "X10 = L10*inv(L00); X20 = L20 + inv(L22)*L21*inv(L11)*L10; X11 = inv(L11); X21 = "
     "-inv(L22)*L21"),
    ("ensemble Kalman 3", "N=200 n=2000 m=2000",
     "X:m:n,N:F; V:m:m,N:F; R:m:m,m:SPSD; Y:m:m,N:F; H:m:m,n:F; Xb:m:n,N:F",
     "dX = X*trans(V)*inv(R + V*trans(V))*(Y - H*Xb)"),
    ("ensemble Kalman 3, large state", "N=200 n=5000 m=1000",
     "X:m:n,N:F; V:m:m,N:F; R:m:m,m:SPD; Y:m:m,N:F; H:m:m,n:F; Xb:m:n,N:F",
     "dX = X*trans(V)*inv(R + V*trans(V))*(Y - H*Xb)"),
    ("ensemble Kalman 3, diagonal R", "N=200 n=5000 m=5000",
     "X:m:n,N:F; V:m:m,N:F; R:m:m,m:D,SPD; Y:m:m,N:F; H:m:m,n:F; Xb:m:n,N:F",
     "dX = X*trans(V)*inv(R + V*trans(V))*(Y - H*Xb)"),
    ("randomised inversion 2", "n=5000 q=500",
     "I:i:n,n; A:m:n,n:F; S:m:n,q:F; W:m:n,n:SPD; Xin:m:n,n:F",
     "Lambda = S*inv(trans(S)*trans(A)*W*A*S)*trans(S); Xout = Xin + (I - "
     "Xin*trans(A))*Lambda*trans(A)*W"),
    ("randomised inversion 2, literally", "n=3000 q=300",
     "I:i:n,n; A:m:n,n:F; S:m:n,q:F; W:m:n,n:SPD; Xin:m:n,n:F",
     "Xout = Xin + (I - Xin*A)*S*inv(trans(S)*trans(A)*W*A*S)*trans(S)*trans(A)*W"),
    ("stochastic Newton 1", "n=1000 m=5000 l=625",
     "I:i:n,n; J:i:l,l; A:m:m,n:F; B:m:n,n:SPD; W:m:m,l:F; k:s::+; h:s::+",
     "Bout = k*inv(h)*B*(I - trans(A)*W*inv(h*J + trans(W)*A*B*trans(A)*W)*trans(W)*A*B)"),
    ("stochastic Newton 1, few samples", "n=2500 m=2500 l=100",
     "I:i:n,n; J:i:l,l; A:m:m,n:F; B:m:n,n:SPD; W:m:m,l:F; k:s::+; h:s::+",
     "Bout = k*inv(h)*B*(I - trans(A)*W*inv(h*J + trans(W)*A*B*trans(A)*W)*trans(W)*A*B)"),
    ("Tikhonov 3", "n=3000 m=200",
     "b:v:n; x0:v:m; A:m:n,m:F; P:m:n,n:SPSD; Q:m:m,m:SPSD",
     "x = inv(trans(A)*P*A + Q)*(trans(A)*P*b + Q*x0)"),
    ("Tikhonov 3, square", "n=2000 m=2000",
     "b:v:n; x0:v:m; A:m:n,m:F; P:m:n,n:SPSD; Q:m:m,m:SPSD",
     "x = inv(trans(A)*P*A + Q)*(trans(A)*P*b + Q*x0)"),
    ("LMMSE 2", "n=2000 m=1500",
     "x:v:n; y:v:m; A:m:m,n:F; Cx:m:n,n:SPSD; Cz:m:m,m:SPSD",
     "xout = inv(trans(A)*inv(Cz)*A + inv(Cx))*trans(A)*inv(Cz)*(y - A*x) + x"),
    ("LMMSE 2, tall", "n=500 m=5000",
     "x:v:n; y:v:m; A:m:m,n:F; Cx:m:n,n:SPSD; Cz:m:m,m:SPSD",
     "xout = inv(trans(A)*inv(Cz)*A + inv(Cx))*trans(A)*inv(Cz)*(y - A*x) + x"),
    ("LMMSE 2, diagonal noise", "n=1000 m=4000",
     "x:v:n; y:v:m; A:m:m,n:F; Cx:m:n,n:SPSD; Cz:m:m,m:D,SPD",
     "xout = inv(trans(A)*inv(Cz)*A + inv(Cx))*trans(A)*inv(Cz)*(y - A*x) + x"),
    ("LMMSE 2, wide", "n=4000 m=500",
     "x:v:n; y:v:m; A:m:m,n:F; Cx:m:n,n:SPD; Cz:m:m,m:SPD",
     "xout = inv(trans(A)*inv(Cz)*A + inv(Cx))*trans(A)*inv(Cz)*(y - A*x) + x"),
    ("least squares, several right sides", "n=2500 m=500 k=250",
     "y:m:n,k:F; X:m:n,m:F",
     "b = inv(trans(X)*X)*trans(X)*y"),
    ("weighted least squares", "n=5000 m=500",
     "y:v:n; X:m:n,m:F; W:m:n,n:D,SPD",
     "b = inv(trans(X)*W*X)*trans(X)*W*y"),
    ("weighted ridge regression", "n=2500 m=500",
     "y:v:n; I:i:m,m; X:m:n,m:F; W:m:n,n:D,SPD; l:s::+",
     "b = inv(trans(X)*W*X + l*I)*trans(X)*W*y"),
    ("ridge, dual, wide", "n=500 m=4000",
     "y:v:n; I:i:m,m; X:m:n,m:F; l:s::+",
     "b = inv(trans(X)*X + l*I)*trans(X)*y"),
    ("Gauss-Newton step", "n=3000 m=400",
     "x:v:m; r:v:n; J:m:n,m:F; I:i:m,m; mu:s::+",
     "xn = x - inv(trans(J)*J + mu*I)*trans(J)*r"),
    ("Woodbury with vectors", "n=2000",
     "u:v:n; w:v:n; A:m:n,n:SPD",
     "z = inv(A + u*trans(u))*w"),
    ("Woodbury diagonal plus low rank", "n=4000 k=100",
     "D:m:n,n:D,SPD; U:m:n,k:F; b:v:n",
     "z = inv(D + U*trans(U))*b"),
    ("quadratic form", "n=2500",
     "S:m:n,n:SPD; x:v:n; m:v:n",
     "q = trans(x - m)*inv(S)*(x - m)"),
    ("Mahalanobis distances of many", "n=1000 k=1000",
     "S:m:n,n:SPD; X:m:n,k:F",
     "q = trans(X)*inv(S)*X"),
    ("projection", "n=3000 m=600",
     "I:i:n,n; H:m:n,m:F; x:v:n",
     "p = (I - H*inv(trans(H)*H)*trans(H))*x"),
    ("projection of a matrix", "n=2000 m=400",
     "I:i:n,n; H:m:n,m:F; X:m:n,n:F",
     "p = (I - H*inv(trans(H)*H)*trans(H))*X"),
    ("projector itself", "n=2500 m=500",
     "I:i:n,n; H:m:n,m:F",
     "p = I - H*inv(trans(H)*H)*trans(H)"),
    ("covariance intersection", "n=1000",
     "A:m:n,n:SPD; B:m:n,n:SPD; a:v:n; b:v:n; w:s::+; v:s::+",
     "C = inv(w*inv(A) + v*inv(B)); c = C*(w*inv(A)*a + v*inv(B)*b)"),
    ("covariance fusion, state only", "n=1500",
     "A:m:n,n:SPD; B:m:n,n:SPD; a:v:n; b:v:n",
     "c = inv(inv(A) + inv(B))*(inv(A)*a + inv(B)*b)"),
    ("LQR gain", "n=1000 m=200",
     "A:m:n,n:F; B:m:n,m:F; P:m:n,n:SPSD; R:m:m,m:SPD",
     "K = inv(R + trans(B)*P*B)*trans(B)*P*A"),
    ("Riccati step", "n=1000 m=200",
     "A:m:n,n:F; B:m:n,m:F; P:m:n,n:SPD; Q:m:n,n:SPSD; R:m:m,m:SPD",
     "Pn = Q + trans(A)*P*A - trans(A)*P*B*inv(R + trans(B)*P*B)*trans(B)*P*A"),
    ("Kalman, diagonal R", "n=1000 m=500",
     "xb:v:n; z:v:m; I:i:n,n; H:m:m,n:F; P:m:n,n:SPD; R:m:m,m:D,SPD",
     "K = P*trans(H)*inv(R + H*P*trans(H)); xa = xb + K*(z - H*xb); Pa = (I - K*H)*P"),
    ("Kalman, Joseph form", "n=1000 m=300",
     "I:i:n,n; H:m:m,n:F; P:m:n,n:SPD; R:m:m,m:SPD",
     "K = P*trans(H)*inv(R + H*P*trans(H)); Pa = (I - K*H)*P*trans(I - K*H) + K*R*trans(K)"),
    ("Kalman prediction and update", "n=600 m=300",
     "x:v:n; z:v:m; I:i:n,n; F:m:n,n:F; H:m:m,n:F; P:m:n,n:SPD; Q:m:n,n:SPD; R:m:m,m:SPD",
     "xp = F*x; Pp = F*P*trans(F) + Q; K = Pp*trans(H)*inv(R + H*Pp*trans(H)); xa = xp + K*(z - "
     "H*xp); Pa = (I - K*H)*Pp"),
    ("information filter", "n=1000 m=1500",
     "z:v:m; x:v:n; H:m:m,n:F; P:m:n,n:SPD; R:m:m,m:D,SPD",
     "Pa = inv(inv(P) + trans(H)*inv(R)*H); xa = Pa*(inv(P)*x + trans(H)*inv(R)*z)"),
    ("Schur complement", "n=1500 m=500",
     "A:m:n,n:SPD; B:m:n,m:F; C:m:m,m:S",
     "S = C - trans(B)*inv(A)*B"),
    ("Schur complement, general", "n=1500 m=500",
     "A:m:n,n:F; B:m:n,m:F; C:m:m,n:F; D:m:m,m:F",
     "S = D - C*inv(A)*B"),
    ("Schur complement, symmetric", "n=1500 m=500",
     "A:m:n,n:S,F; B:m:n,m:F; C:m:m,m:S",
     "S = C - trans(B)*inv(A)*B"),
    ("saddle point by blocks", "n=2000 m=600",
     "A:m:n,n:SPD; B:m:m,n:F; f:v:n; g:v:m",
     "l = inv(B*inv(A)*trans(B))*(B*inv(A)*f - g); x = inv(A)*(f - trans(B)*l)"),
    ("CCA", "n=500 m=400",
     "X:m:n,n:SPD; Y:m:m,m:SPD; C:m:n,m:F",
     "M = inv(X)*C*inv(Y)*trans(C)"),
    ("whitening", "n=1000 k=1500",
     "L:m:n,n:L,F; C:m:n,n:SPD",
     "M = inv(L)*C*inv(trans(L))"),
    ("Gaussian conditioning", "n=1000 m=1500",
     "a:v:n; b:v:m; y:v:m; A:m:n,n:SPD; B:m:m,m:SPD; C:m:n,m:F",
     "mu = a + C*inv(B)*(y - b); S = A - C*inv(B)*trans(C)"),
    ("Gaussian process", "n=2000 k=500",
     "K:m:n,n:SPSD; I:i:n,n; Ks:m:k,n:F; Kss:m:k,k:S; y:v:n; s:s::+",
     "mu = Ks*inv(K + s*I)*y; S = Kss - Ks*inv(K + s*I)*trans(Ks)"),
    ("signal processing, square", "n=1500",
     "y:v:n; A:m:n,n:F; B:m:n,n:F; L:m:n,n:D,SPD; R:m:n,n:U,F",
     "x = inv(inv(trans(A))*trans(B)*B*inv(A) + trans(R)*L*R)*inv(trans(A))*trans(B)*B*inv(A)*y"),
    ("generalised least squares, several", "n=2500 m=500 k=50",
     "Y:m:n,k:F; M:m:n,n:SPD; X:m:n,m:F",
     "B = inv(trans(X)*inv(M)*X)*trans(X)*inv(M)*Y"),
    ("generalised least squares and covariance", "n=2500 m=500",
     "y:v:n; M:m:n,n:SPD; X:m:n,m:F",
     "C = inv(trans(X)*inv(M)*X); b = C*trans(X)*inv(M)*y"),
    ("generalised least squares, symmetric M", "n=2000 m=500",
     "y:v:n; M:m:n,n:S,F; X:m:n,m:F",
     "b = inv(trans(X)*inv(M)*X)*trans(X)*inv(M)*y"),
    ("Tikhonov 1, square", "n=2000",
     "b:v:n; A:m:n,n:F; G:m:n,n:F",
     "x = inv(trans(A)*A + trans(G)*G)*trans(A)*b"),
    ("Tikhonov with a bidiagonal-like G", "n=2000 m=1000",
     "b:v:n; A:m:n,m:F; G:m:m,m:U,F; a:s::+",
     "x = inv(trans(A)*A + a*trans(G)*G)*trans(A)*b"),
    ("Tikhonov 4, diagonal P", "n=3000 m=600",
     "b:v:n; x0:v:m; A:m:n,m:F; P:m:n,n:D,SPD; Q:m:m,m:D,SPD",
     "x = x0 + inv(trans(A)*P*A + Q)*trans(A)*P*(b - A*x0)"),
    ("image restoration 1, square", "n=2000",
     "u:v:n; v:v:n; y:v:n; I:i:n,n; H:m:n,n:F; l:s::+; s:s::+",
     "x = inv(trans(H)*H + l*s*I)*(trans(H)*y + l*s*(v - u))"),
    ("image restoration 2, tall", "n=500 m=5000",
     "x:v:m; y:v:n; I:i:m,m; H:m:m,n:F",
     "Hd = inv(trans(H)*H)*trans(H); p = H*(Hd*x + y) + (I - H*Hd)*x"),
    ("ensemble Kalman 1, diagonal R", "N=200 n=2000 m=2000",
     "B:m:n,n:SPD; H:m:m,n:F; R:m:m,m:D,SPD; Xb:m:n,N:F; Y:m:m,N:F",
     "Xa = Xb + inv(inv(B) + trans(H)*inv(R)*H)*trans(H)*inv(R)*(Y - H*Xb)"),
    ("LMMSE 1, square", "n=1500",
     "x:v:n; y:v:n; A:m:n,n:F; Cx:m:n,n:SPSD; Cz:m:n,n:SPSD",
     "xout = Cx*trans(A)*inv(A*Cx*trans(A) + Cz)*(y - A*x) + x"),
    ("LMMSE 3, diagonal noise", "n=1500 m=500",
     "x:v:n; y:v:m; I:i:n,n; A:m:m,n:F; Cin:m:n,n:SPSD; Cz:m:m,m:D,SPD",
     "K = Cin*trans(A)*inv(Cz + A*Cin*trans(A)); xout = x + K*(y - A*x); Cout = (I - K*A)*Cin"),
    ("quasi-Newton: SR1-like update", "n=2000 q=100",
     "H:m:n,n:S; S:m:n,q:F; Y:m:n,q:F",
     "Hn = H + (S - H*Y)*inv(trans(S - H*Y)*Y)*trans(S - H*Y)"),
    ("block BFGS", "n=1500 q=100",
     "I:i:n,n; H:m:n,n:SPD; S:m:n,q:F; Y:m:n,q:F; D:m:q,q:SPD",
     "Hn = S*D*trans(S) + (I - S*D*trans(Y))*H*(I - Y*D*trans(S))"),
    ("random sketch projection", "n=2000 m=1000 q=100",
     "A:m:m,n:F; S:m:m,q:F; b:v:m; x:v:n",
     "xn = x - trans(A)*S*inv(trans(S)*A*trans(A)*S)*trans(S)*(A*x - b)"),
    ("sandwich covariance", "n=2500 m=500",
     "X:m:n,m:F; W:m:n,n:D,SPD",
     "V = inv(trans(X)*X)*trans(X)*W*X*inv(trans(X)*X)"),
    ("minimum norm, weighted", "n=3000 m=500",
     "A:m:m,n:F; W:m:n,n:D,SPD; b:v:m",
     "x = inv(W)*trans(A)*inv(A*inv(W)*trans(A))*b"),
    ("Kalman smoother gain", "n=800",
     "F:m:n,n:F; P:m:n,n:SPD; Q:m:n,n:SPD; x:v:n; xs:v:n",
     "C = P*trans(F)*inv(F*P*trans(F) + Q); xo = x + C*(xs - F*x)"),
    ("BLUE with prior", "n=1500 m=300",
     "y:v:n; b0:v:m; X:m:n,m:F; V:m:n,n:SPD; B:m:m,m:SPD",
     "b = inv(trans(X)*inv(V)*X + inv(B))*(trans(X)*inv(V)*y + inv(B)*b0)"),
    ("Newton step with constraints", "n=1500 m=300",
     "H:m:n,n:SPD; A:m:m,n:F; g:v:n",
     "d = inv(H)*(trans(A)*inv(A*inv(H)*trans(A))*A*inv(H)*g - g)"),
    ("interior point step", "n=3000 m=600",
     "D:m:n,n:D,SPD; A:m:m,n:F; r:v:m; s:v:n",
     "dy = inv(A*D*trans(A))*(r + A*D*s); dx = D*(trans(A)*dy - s)"),
    ("Cayley transform", "n=1000",
     "I:i:n,n; A:m:n,n:S",
     "Q = inv(3.0*I + A)*(3.0*I - A)"),
    ("implicit step", "n=1500",
     "I:i:n,n; M:m:n,n:SPD; K:m:n,n:SPSD; u:v:n; f:v:n; h:s::+",
     "un = inv(M + h*K)*(M*u + h*f)"),
    ("generalised eigenproblem reduction", "n=1000",
     "A:m:n,n:S; L:m:n,n:L,F",
     "C = inv(L)*A*trans(inv(L))"),
    ("kernel ridge, many outputs", "n=1500 k=100",
     "K:m:n,n:SPSD; I:i:n,n; Y:m:n,k:F; T:m:k,n:F; l:s::+",
     "f = T*inv(K + l*I)*Y"),
    ("trace-free Bayesian update", "n=1000 m=200",
     "S:m:n,n:SPD; X:m:m,n:F; y:v:m; w:v:n; b:s::+",
     "Sn = inv(inv(S) + b*trans(X)*X); wn = Sn*(inv(S)*w + b*trans(X)*y)"),
    ("balanced sum of chains", "n=1000 k=100",
     "A:m:n,k:F; B:m:k,n:F; C:m:n,k:F; D:m:k,n:F; x:v:n",
     "y = A*B*x + C*D*x - trans(B)*trans(A)*x"),
]


def operand(text):
    name, kind, size, properties = (text.split(":") + ["", ""])[:4]
    return name, {"kind": KINDS[kind], "size": [s for s in size.split(",") if s],
                  "properties": [PROPERTIES.get(p, p) for p in properties.split(",") if p]}


def application(number, domain, extents, operands, equations):
    equations = equations.split("; ")
    dims = (extent.split("=") for extent in extents.split())
    return {"id": f"A{number:02d}", "domain": domain, "dims": {n: int(v) for n, v in dims},
            "operands": dict(operand(o) for o in operands.split("; ")), "equations": equations,
            "outputs": [e.split(" = ")[0] for e in equations]}


class Expression:
    """A random expression: products and sums, nested, of matrices with and without structure."""

    def __init__(self, seed, signs):
        self.random = random.Random(f"{seed} {signs}")
        self.signs = signs
        self.operands = {}
        self.rows = self.extent()
        chance = self.random.random()
        self.columns = 1 if chance < 0.12 else self.rows if chance < 0.5 else self.extent()
        make = self.product if self.random.random() < 0.6 else self.sum
        self.text = make(self.rows, self.columns, self.random.randint(3, 5), 2)

    def chance(self, probability):
        return self.random.random() < probability

    def extent(self):
        return 50 * self.random.randint(1, 40)

    def matrix(self, rows, columns, may_turn=True):
        name, turned = f"M{len(self.operands)}", may_turn and columns > 1 and self.chance(0.5)
        properties = ["FullRank"] if columns > 1 else []
        if rows == columns and self.chance(0.55):
            properties.append(self.random.choice(
                ["Diagonal", "LowerTriangular", "UpperTriangular", "Symmetric", "SPD"]))
        size = [columns, rows] if turned else [rows, columns]
        self.operands[name] = {"kind": "Matrix", "size": size, "properties": properties}
        return f"trans({name})" if turned else name

    def invertible(self, size, depth):
        which = self.random.random() if depth > 0 else 0
        if which < 0.6:
            return self.matrix(size, size, may_turn=False)
        if which < 0.8:  # of full rank: no smaller extent in between
            between = max(size, self.extent())
            return f"({self.matrix(size, between)} * {self.matrix(between, size)})"
        return self.sum(size, size, 2, depth - 1)

    def congruence(self, size):
        inner = self.extent()
        outer = self.matrix(size, inner)
        middle = f" * {self.matrix(inner, inner)}" if self.chance(0.5) else ""
        return f"({outer}{middle} * trans({outer}))"

    def part(self, rows, columns, depth, in_product):
        which = self.random.random()
        if rows == columns and which < (0.45 if in_product else 0.25):
            return f"inv({self.invertible(rows, depth - 1)})"
        if rows == columns and which < (0.5 if in_product else 0.4):
            return self.congruence(rows)
        if depth > 0 and self.chance(0.28):
            make = self.sum if in_product else self.product
            return make(rows, columns, 2, depth - 1)
        return self.matrix(rows, columns)

    def product(self, rows, columns, count, depth):
        extents = [rows]
        for _ in range(count - 1):
            extents.append(extents[-1] if self.chance(0.55) else self.extent())
        extents.append(columns)
        return "({})".format(" * ".join(self.part(a, b, depth, True)
                                        for a, b in zip(extents, extents[1:])))

    def sum(self, rows, columns, count, depth):
        text = self.part(rows, columns, depth, False)
        if self.signs and self.chance(0.2):
            text = "-" + text
        for _ in range(count - 1):
            term = self.part(rows, columns, depth, False)
            if self.signs and self.chance(0.25):
                term = self.random.choice(["2.0 * ", "0.5 * "]) + term
            text += (" - " if self.signs and self.chance(0.4) else " + ") + term
        return f"({text})"


def expression(seed, signs):
    made = Expression(seed, signs)
    return {"id": f"R{seed:03d}", "out": {"kind": "Matrix", "size": [made.rows, made.columns]},
            "operands": made.operands, "expr": made.text}


def main(words):
    if words == ["applications"]:
        problems = [application(k, *row) for k, row in enumerate(APPLICATIONS, 1)]
    elif words[:1] == ["random"] and words[1:2] and words[1].isdigit() and words[2:] in (
            [], ["signs"]):
        problems = [expression(seed, len(words) > 2) for seed in range(1, int(words[1]) + 1)]
    else:
        sys.exit(__doc__)
    json.dump(problems, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main(sys.argv[1:])
