/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

/**
 * One thing wrong with the configuration, said so that the reader can put it right.
 *
 * @param key the full key, for example {@code canary.clusters.prod.probe.rate}
 * @param message what is wrong and what is allowed; never holds the value of a secret
 */
public record ConfigFault(String key, String message) {
    @Override
    public String toString() {
        return key + ": " + message;
    }
}
