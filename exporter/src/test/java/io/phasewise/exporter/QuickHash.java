/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

/** Hashes of two passwords with the fewest rounds that are allowed: tests ask many times. */
public final class QuickHash {

    public static final String ONE =
            "pbkdf2-sha256:10000:MTYgYnl0ZXMgb2Ygc2FsdA==:SwnlsNekNFZpPGWOqi58y6HaobZW/P84blL9p3pF3ao=";
    public static final String TWO =
            "pbkdf2-sha256:10000:MTYgYnl0ZXMgb2Ygc2FsdA==:EPQERLj/zcUsxuGgWf0PyPBfddGwZyIe6lICIpqTB0U=";

    private QuickHash() {}
}
