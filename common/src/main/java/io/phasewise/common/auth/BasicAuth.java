/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.Semaphore;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The one user of an endpoint, and how to tell his password. Credentials that are right are
 * remembered as a digest under a random key, so that only the first request pays for a slow hash.
 * One password at a time is checked against such a hash: guessing costs one core at most.
 * Thread-safe.
 */
public final class BasicAuth {

    private static final String DIGEST = "HmacSHA256";

    private final byte[] user;

    /** Null where the password itself is known. */
    private final PasswordHash hash;

    private final SecretKeySpec key;
    private final Semaphore check = new Semaphore(1);

    /** Of the right user and password; null until they are known. */
    private volatile byte[] right;

    /** What is to be said to somebody with credentials. */
    public enum Verdict {
        ACCEPTED,
        REFUSED,

        /** Not known: another password is being checked. */
        BUSY
    }

    private BasicAuth(String user, PasswordHash hash) {
        this.user = user.getBytes(StandardCharsets.UTF_8);
        this.hash = hash;
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        key = new SecretKeySpec(random, DIGEST);
    }

    /** Of a password. */
    public static BasicAuth withPassword(String user, String password) {
        BasicAuth auth = new BasicAuth(user, null);
        auth.right = auth.digest(user, password);
        return auth;
    }

    /** Of the hash of a password. */
    public static BasicAuth withHash(String user, PasswordHash hash) {
        return new BasicAuth(user, hash);
    }

    /** Whether these are the user and his password, in a time that does not tell how far off. */
    public Verdict check(String givenUser, String password) {
        byte[] digest = digest(givenUser, password);
        byte[] known = right;
        if (known != null && MessageDigest.isEqual(known, digest)) {
            return Verdict.ACCEPTED;
        }
        if (hash == null) {
            return Verdict.REFUSED;
        }
        if (!check.tryAcquire()) {
            return Verdict.BUSY;
        }
        try {
            boolean isUser = MessageDigest.isEqual(user, givenUser.getBytes(StandardCharsets.UTF_8));
            if (hash.isOf(password.toCharArray()) && isUser) {
                right = digest;
                return Verdict.ACCEPTED;
            }
            return Verdict.REFUSED;
        } finally {
            check.release();
        }
    }

    /** A user has no colon, so this is one for each pair. */
    private byte[] digest(String user, String password) {
        try {
            Mac mac = Mac.getInstance(DIGEST);
            mac.init(key);
            return mac.doFinal((user + ":" + password).getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + DIGEST, e);
        }
    }
}
