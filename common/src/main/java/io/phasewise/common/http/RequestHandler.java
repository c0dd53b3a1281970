/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.http;

/**
 * Answers requests for one path. Called by several threads at once; neither waits for clients nor
 * is interrupted because of one.
 */
public interface RequestHandler {

    /**
     * @throws Exception any: it is reported, and the client is told no more than that it happened
     */
    Answer answer(Request request) throws Exception;
}
