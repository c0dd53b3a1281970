/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.prometheus;

import java.io.IOException;

/** The server answered, but with a status other than 200. */
public final class RefusedException extends IOException {

    private static final long serialVersionUID = 1;

    /** Of HTTP. */
    public final int status;

    /** The answer's begin, up to 64 KiB: Thanos names all of a store's labels before the fault. */
    public final String body;

    /**
     * @param body the answer's begin
     */
    RefusedException(int status, String body, String message) {
        super(message);
        this.status = status;
        this.body = body;
    }
}
