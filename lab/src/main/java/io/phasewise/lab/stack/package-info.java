/**
 * The local stack as one thing: which components it has, what is remembered of them, how they are
 * started, looked at and stopped in order. What a user types and reads is left to {@code cli}.
 */
package io.phasewise.lab.stack;
