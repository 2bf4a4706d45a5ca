set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "Frame times: uncapped.exe \060xF\060\060D (uncapped-game)" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "n \065\071\073 \061 missing\073 measured commit to commit\073 bins of \060.\065\060 ms" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.073
set rmargin at screen 0.976
set tmargin at screen 0.8571428571428572
set bmargin at screen 0.10000000000000009
set xrange [2.5:5.5]
set xlabel "frame time in ms" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [0.0:34.13559322033899]
set ylabel "share in \045" noenhanced textcolor rgb "#1f2328"
set ytics autofreq noenhanced format "%g"
set grid ytics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set key at screen 0.976, screen 0.9035714285714286 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double%double%double" record=(4) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "frame time", \
  "data/\061" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#e69f00" dashtype 2 title "p\065\060 \064.\061\070 ms", \
  "data/\062" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#009e73" dashtype 2 title "p\071\065 \064.\071\063 ms", \
  "data/\063" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#cc79a7" dashtype 2 title "p\071\071 \064.\071\066 ms"
unset label
unset multiplot
unset output
# data/0: 3.0 3.5 0.0 13.559322033898304 3.5 4.0 0.0 27.11864406779661 4.0 4.5 0.0 32.20338983050848 4.5 5.0 0.0 27.11864406779661
# data/1: 4.1786 0.0 4.1786 34.13559322033899
# data/2: 4.92729 0.0 4.92729 34.13559322033899
# data/3: 4.964214 0.0 4.964214 34.13559322033899
