rule-title = لماذا يجوز أن يقوم رمز المُسوِّد مقام رمز الهدف؟
    .nav = القاعدة رمزًا رمزًا
rule-why = يُبقى الرمز المُسوَّد باحتمال $\min(1, p/q)$، وبعد الرفض يُسحب رمز آخر مما يزيد به p على q. وهذان معًا يعطيان كل رمز الاحتمال p بالضبط، أيًّا كان المُسوِّد.

rule-pick = نص التشغيل: اختر رمزًا
rule-token = الرمز
    .help = الضغط على رمز في النص يختاره كذلك.
rule-legend = ✓ قُبل، ◆ تصحيح بعد رفض، + رمز إضافي بعد دورة بلا رفض.
rule-told-accepted = **قُبل.** اقترح المُسوِّد الرمز «{ $token }»: ⁦q = { $q }⁩، ⁦p = { $p }⁩. احتمال إبقائه $\min(1, p/q)$ = { $acceptance }، و ⁦u = { $u }⁩ أصغر منه.
rule-told-corrected = **رُفض وصُحِّح.** اقترح المُسوِّد الرمز «{ $token }»: ⁦q = { $q }⁩، ⁦p = { $p }⁩. احتمال إبقائه $\min(1, p/q)$ = { $acceptance }، و ⁦u = { $u }⁩ ليس أصغر منه. فسُحب «{ $correction }» من التوزيع المُعدَّل $p'$.
rule-told-bonus = **رمز إضافي.** لم يُسوَّد هنا شيء: كان للتمريرة توزيع فائض، فسُحب الرمز «{ $token }» من p نفسه.
rule-fact-q = ‏q للرمز المُسوَّد
rule-fact-p = ‏p له
rule-fact-acceptance = احتمال القبول
rule-fact-u = ‏u
rule-fact-beta = ‏β = Σ min(p, q)
rule-fact-support-p = رموز فيها ⁦p > ٠⁩
rule-fact-support-q = رموز فيها ⁦q > ٠⁩
rule-no-laws = لم يحفظ هذا السجل التوزيعات. سجّله مع التوزيعات أو شغِّل هنا.
rule-laws-alt = ‏p و q والتوزيع المُعدَّل لأرجح الرموز عند الرمز { $index }
rule-tail = كل ما سواها
rule-line-p = ‏p، الهدف
rule-line-q = ‏q، المُسوِّد
rule-line-residual = ‏p′، المُعدَّل
rule-axis-probability = الاحتمال
rule-axis-token = الرمز

rule-play-title = مفردات صغيرة يمكن فحصها
rule-play-text = ضع أوزان التوزيعين، وهي تُسوّى لتجمع واحدًا. لا يُسحب أي رمز: تُجمع كل الطرق التي يمكن أن يخرج بها الرمز. لكل عمود جزآن، المُسوَّدات المقبولة والتصحيحات، وينبغي أن ينتهي عند علامة p.
rule-size = الرموز في المفردات
rule-p1 = ‏p للرمز A
rule-p2 = ‏p للرمز B
rule-p3 = ‏p للرمز C
rule-p4 = ‏p للرمز D
rule-p5 = ‏p للرمز E
rule-p6 = ‏p للرمز F
rule-p7 = ‏p للرمز G
rule-p8 = ‏p للرمز H
rule-q1 = ‏q للرمز A
rule-q2 = ‏q للرمز B
rule-q3 = ‏q للرمز C
rule-q4 = ‏q للرمز D
rule-q5 = ‏q للرمز E
rule-q6 = ‏q للرمز F
rule-q7 = ‏q للرمز G
rule-q8 = ‏q للرمز H
rule-preset-near = متشابهان بعض الشيء
rule-preset-equal = متساويان: ⁦p = q⁩
rule-preset-disjoint = منفصلان
rule-preset-greedy = الهدف عند ⁦T = ٠⁩
rule-preset-zeros = احتمالات صفرية
rule-preset-flat = مُسوِّد مستوٍ
rule-rule = القاعدة
rule-rule-exact = القاعدة نفسها
rule-rule-accept-always = خطأ: القبول دائمًا
rule-rule-correct-from-target = خطأ: التصحيح من p
rule-rule-softmax-residual = خطأ: softmax على الباقي
rule-rule-reversed-test = خطأ: الاختبار ⁦u > p/q⁩
rule-rule-greedy-draft = خطأ: اقتراح أرجح رمز والاختبار بـ q
rule-part-accepted = مُسوَّدات مقبولة
rule-part-corrected = تصحيحات
rule-parts-alt = لكل رمز احتمال خروجه، مقبولًا ومُصحَّحًا، إلى جانب p و q
rule-verdict-exact = **مضبوط.** لكل رمز يجتمع الجزء المقبول $\min(p, q)$ والجزء المُصحَّح $\max(0, p - q)$ فيساويان p.
rule-verdict-hidden = **لا يظهر خطأ مع هذين التوزيعين.** والخطأ قائم مع ذلك: لا يجده اختبار على زوج كهذا.
rule-verdict-wrong = **توزيع خاطئ.** يخرج الرمز { $token } باحتمال { $out }، وينبغي أن يكون { $p }. مسافة التغيّر الكلي عن p هي { $error }.
rule-play-alpha = ‏β = Σ min(p, q)
rule-play-accepted = المُسوَّدات المقبولة
rule-play-error = مسافة التغيّر الكلي عن p
rule-play-deviation = أكبر |التوزيع − p|
rule-gamma = ‏γ للدورة المعدودة
rule-round-title = كل نتائج دورة من { $gamma } مُسوَّدات بحسب القاعدة
rule-round-outcomes = النتائج
rule-round-total = مجموعها
rule-round-first = الرمز الأول: أكبر |التوزيع − p|
rule-round-mean = الرموز في الدورة، بالعدّ
rule-round-formula = الرموز في الدورة، المعادلة ١
rule-outcomes = النتائج في جدول
rule-rules = كل القواعد على هذين التوزيعين
rule-column-index = الرمز
rule-column-token = النص
rule-column-how = كيف خرج
rule-column-round = الدورة
rule-column-drafted = المُسوَّد
rule-column-acceptance = احتمال القبول
rule-column-beta = β
rule-column-emitted = الخارج
rule-column-tokens = الرموز
rule-column-probability = الاحتمال
rule-column-rule = القاعدة
rule-column-accepted = المقبول
rule-column-distance = مسافة التغيّر الكلي عن p

input-no_weight = كل أوزان { $law } أصفار. ارفع واحدًا منها على الأقل.

rule-notice-fill = لا يعلو الجزء المقبول على p ولا على q أبدًا: هو موضع تراكب التوزيعين. والتوزيع المُعدَّل يملأ ما ينقص بالضبط.
rule-notice-draft = المُسوِّد الأسوأ يغيّر عدد مرات الرفض، لا التوزيع الخارج. وعند ⁦β = ٠⁩ كل رمز تصحيح، مسحوب من p.
rule-notice-greedy = عند درجة الحرارة ٠ يتركّز كل توزيع في رمز واحد: تسأل القاعدة هل يسمّيان الرمز نفسه، والنص نص الهدف بعينه.
rule-try-zeros = احتمالات صفرية: ما لا يقوله الهدف أبدًا لا يُبقى أبدًا.
rule-try-softmax = ‏softmax على الباقي: تنال الرموز التي فيها ⁦p < q⁩ نصيبًا لا يحق لها.
rule-try-hidden = ⁦p = q⁩ مع الخطأ ⁦u > p/q⁩: لا يظهر شيء.

rule-recording = { speculate-recording }
rule-request = { speculate-prompt }
rule-run-prompt = { speculate-prompt }
rule-run-own = { speculate-own }
    .help = { speculate-own.help }
rule-run-draft = { speculate-draft }
    .help = { speculate-draft.help }
rule-run-policy = { speculate-policy }
    .help = { speculate-policy.help }
rule-run-gamma = { speculate-gamma }
rule-run-temperature = { speculate-temperature }
rule-run-length = { speculate-length }
rule-run-seed = { speculate-seed }
