/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.kafka;

import java.util.Map;

/** How clients reach the brokers: without encryption, or encrypted and with a password. */
public sealed interface ListenerSecurity {

    /** No encryption, no passwords; every client is anonymous. */
    record Plaintext() implements ListenerSecurity {}

    /**
     * SASL_SSL with SCRAM-SHA-512, on certificates made when the cluster starts.
     *
     * @param superUser name of the user who may do everything; the brokers use it among themselves
     * @param superPassword the super user's password. Names and passwords have only letters,
     *     digits and {@code ._-}, as the storage tool accepts no others
     * @param users further users and their passwords
     * @param authorizer whether ACLs decide what a user may do; otherwise everyone with a
     *     password may do everything
     */
    record SaslSsl(String superUser, String superPassword, Map<String, String> users, boolean authorizer)
            implements ListenerSecurity {

        /** Leaves the passwords out. */
        @Override
        public String toString() {
            return "SaslSsl[superUser=%s, users=%s, authorizer=%b]".formatted(superUser, users.keySet(), authorizer);
        }
    }
}
